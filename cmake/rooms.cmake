# One object library a room. A room sees its own headers and those of the rooms named after it, nothing else: each
# room has a folder in the build tree that holds one link, `<room>` to `src/<room>`, and only the folders of allowed
# rooms are on the include path. So `#include "prune/eval.h"` in `delta` does not compile.
set(LAKEPROOF_ROOMS "" CACHE INTERNAL "rooms with sources, in the order of the house")

function(lakeproof_room room)
  set(view ${CMAKE_BINARY_DIR}/rooms/${room})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${room} ${view}/${room} SYMBOLIC)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${room}/*.c ${CMAKE_SOURCE_DIR}/src/${room}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_fuzz\\.c$") # fuzz targets link to the room, they are not part of it
  if(NOT sources)
    return()
  endif()
  add_library(room_${room} OBJECT ${sources})
  target_include_directories(room_${room} PRIVATE ${view} ${CMAKE_SOURCE_DIR}/include)
  foreach(allowed IN LISTS ARGN)
    target_include_directories(room_${room} PRIVATE ${CMAKE_BINARY_DIR}/rooms/${allowed})
  endforeach()
  target_link_libraries(room_${room} PRIVATE lakeproof_flags ${LAKEPROOF_LIBS_${room}})
  set(LAKEPROOF_ROOMS ${LAKEPROOF_ROOMS} ${room} CACHE INTERNAL "rooms with sources, in the order of the house")
endfunction()
