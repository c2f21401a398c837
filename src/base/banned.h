/* banned.h - calls that are easy to get wrong do not compile here. Forced into every C file by the build.
 * Called by: the compiler (-include).  Must not know: any room.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

/* The system headers that declare them come first, so that only our own use is hit. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Where the C library checks these at run time, some compilers see them as macros, which cannot be poisoned. */
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef gets

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok atoi atol atoll atof gets
#pragma GCC poison localtime gmtime ctime asctime mktime setlocale

#endif
