"""expression_grammar.py - draws typed expressions over the columns of a table, and predicates that compare them with their values.

Called by: expressions.py.  Must not know: files, Delta, who answers.

A pattern holds slots: <int>, <dec>, <flt>, <str>, <bool>, <date>, <ts>, <ntz>, <bin> are expressions of that kind, <num>
of any number, <time> of any date or time, <stamp> of any time, <any> of anything, and <a|b|c> is one of the texts. To add a
function, add its pattern to RESULTS. What Spark refuses is left out by itself.
"""
import re

import value_table

KIND_CLASSES = {"FLOAT": "flt", "DOUBLE": "flt", "STRING": "str", "BOOLEAN": "bool", "DATE": "date", "TIMESTAMP": "ts", "TIMESTAMP_NTZ": "ntz",
                "BINARY": "bin", "TINYINT": "int", "SMALLINT": "int", "INT": "int", "BIGINT": "int"}
GROUPS = {"num": ["int", "dec", "flt"], "time": ["date", "ts", "ntz"], "stamp": ["ts", "ntz"],
          "any": ["int", "dec", "flt", "str", "bool", "date", "ts", "ntz"]}
LITERAL_KINDS = {"int": ["INT", "INT", "BIGINT", "TINYINT"], "dec": ["DECIMAL(5,2)", "DECIMAL(18,6)", "DECIMAL(38,10)"], "flt": ["DOUBLE", "FLOAT"],
                 "str": ["STRING"], "bool": ["BOOLEAN"], "date": ["DATE"], "ts": ["TIMESTAMP"], "ntz": ["TIMESTAMP_NTZ"], "bin": ["BINARY"]}
INTERVAL = "INTERVAL <1 DAY|24 HOUR|30 HOUR|-1 DAY|1 MONTH|13 MONTH|-1 MONTH|1 YEAR|'1 03' DAY TO HOUR|1 HOUR|90 MINUTE|-25 HOUR|1 WEEK|1 MICROSECOND|1 DAY 3 HOUR|1 YEAR 1 MONTH|2 DAY 30 MINUTE>"
UNIT = "<YEAR|QUARTER|MONTH|WEEK|DAY|HOUR|MINUTE|SECOND|MM|DD>"
WHOLE_TYPE = "<TINYINT|SMALLINT|INT|INT|BIGINT>"
DIGITS = "<1|2|3|10>"

EACH = ["coalesce(<T>, <T>)", "if(<bool>, <T>, <T>)", "CASE WHEN <bool> THEN <T> ELSE <T> END", "CASE WHEN <bool> THEN <T> END", "nullif(<T>, <T>)",
        "greatest(<T>, <T>)", "least(<T>, <T>)", "nvl2(<any>, <T>, <T>)", "CASE <int> WHEN <int> THEN <T> ELSE <T> END"]
RESULTS = {
    "int": ["<int> + <int>", "<int> - <int>", "<int> * <int>", "<int> % <int>", "-(<int>)", "abs(<int>)", "<int> DIV <int>", "pmod(<int>, <int>)",
            "mod(<int>, <int>)", "length(<str>)", "octet_length(<str>)", "length(<bin>)", "instr(<str>, <str>)", "year(<time>)", "quarter(<time>)",
            "month(<time>)", "day(<time>)", "dayofmonth(<time>)", "dayofyear(<time>)", "hour(<stamp>)", "minute(<stamp>)", "second(<stamp>)",
            "dayofweek(<time>)", "weekday(<time>)", "weekofyear(<time>)", "EXTRACT(<YEAR|QUARTER|MONTH|WEEK|DAY|HOUR|MINUTE> FROM <stamp>)",
            "datediff(<time>, <time>)", "unix_date(<date>)", "unix_timestamp(<time>)", "unix_timestamp(<str>)",
            "unix_timestamp(<str>, '<yyyy-MM-dd|yyyyMMdd|yyyy>')", "unix_seconds(<ts>)", "unix_millis(<ts>)", "unix_micros(<ts>)", "floor(<num>)",
            "ceil(<num>)", f"CAST(<num> AS {WHOLE_TYPE})", f"CAST(<str> AS {WHOLE_TYPE})", "CAST(<bool> AS INT)", f"CAST(<ts> AS {WHOLE_TYPE})",
            "round(<int>)", "round(<int>, <-1|0|1>)", "year(<str>)", "CAST(<dec> AS BIGINT)", "CAST(<flt> AS INT)", "<int> & <int>", "hour(<str>)",
            "hour(<date>)", "minute(<date>)", "length(<any>)", "year(<any>)", "dayofweek(<str>)", "datediff(<str>, <date>)", "instr(<any>, <any>)",
            "minute(<str>)", "CAST(<any> AS INT)", "unix_timestamp(<any>)", "floor(<str>)", "CASE <any> WHEN <any> THEN 1 WHEN <any> THEN 2 END",
            "hour(<ts>)", "unix_date(<time>)", "year(CAST(<str> AS TIMESTAMP))", "length(hex(<any>))"],
    "dec": ["<dec> + <dec>", "<dec> + <int>", "<int> - <dec>", "<dec> * <dec>", "<dec> * <int>", "<dec> / <dec>", "<int> / <dec>", "<dec> % <dec>",
            "-(<dec>)", "abs(<dec>)", "round(<dec>, <0|1|2|5>)", "round(<dec>)", "bround(<dec>, <0|1>)", "floor(<dec>)", "ceil(<dec>)",
            "CAST(<num> AS DECIMAL(<5,2|10,0|20,3|38,10|38,18>))", "CAST(<str> AS DECIMAL(<5,1|10,2|38,10>))", "CAST(<num> AS DECIMAL)",
            "coalesce(<int>, <dec>)", "if(<bool>, <dec>, <int>)", "<dec> + 0.1", "<dec> - 1", "pmod(<dec>, <dec>)"],
    "flt": ["<flt> + <flt>", "<flt> - <num>", "<flt> * <flt>", "<num> * <flt>", "<flt> / <flt>", "<int> / <int>", "-(<flt>)", "abs(<flt>)", "sign(<num>)",
            "round(<flt>)", "round(<flt>, <1|2>)", "CAST(<num> AS <FLOAT|DOUBLE>)", "CAST(<str> AS <FLOAT|DOUBLE>)", "sqrt(<num>)", "nanvl(<flt>, <flt>)",
            "coalesce(<int>, <flt>)", "greatest(<int>, <flt>)", "least(<dec>, <flt>)", "CAST(<ts> AS DOUBLE)", "<flt> % <flt>", "if(<bool>, <flt>, <dec>)", "<str> + <num>",
            "<num> - <str>", "<num> * <str>", "abs(<str>)", "-(<str>)", "sign(<str>)", "<str> / <int>", "CAST(<any> AS DOUBLE)"],
    "str": ["upper(<str>)", "lower(<str>)", "trim(<str>)", "ltrim(<str>)", "rtrim(<str>)", "left(<str>, <0|1|2|5>)", "right(<str>, <0|1|2>)",
            "substring(<str>, <0|1|2|3|-1|-3>)", "substring(<str>, <0|1|2|-2>, <0|1|2|5|-1>)", "concat(<str>, <str>)", "<str> || <str>", "<str> || <int>",
            "concat(<str>, <any>)", "repeat(<str>, <0|1|2|-1>)", "replace(<str>, <str>, <str>)", "hex(<str>)", "hex(<bin>)", "hex(<int>)",
            "CAST(<any> AS STRING)", "CAST(<time> AS STRING)", "CAST(<num> AS STRING)", "CAST(<bin> AS STRING)", "reverse(<str>)",
            "date_format(<time>, '<yyyy|yyyy-MM|yyyy-MM-dd|yyyy-MM-dd HH:mm:ss|yyyyMMdd|MM|HH|dd/MM/yyyy|yyyy-MM-dd-HH>')", "from_unixtime(<int>)",
            "from_unixtime(<int>, '<yyyy|yyyy-MM-dd|HH:mm>')", "coalesce(<int>, <str>)", "CAST(coalesce(<int>, <dec>) AS STRING)",
            "CAST(coalesce(<date>, <ts>) AS STRING)", "CAST(if(<bool>, <int>, <flt>) AS STRING)", "substr(<str>, 1, 1)", "upper(<any>)", "<any> || <any>",
            "repeat(<any>, <int>)", "substring(<str>, <int>, <int>)", "substring(<any>, 1, 3)", "left(<str>, <int>)", "right(<str>, <int>)",
            "CAST(coalesce(<any>, <any>) AS STRING)", "CAST(greatest(<num>, <num>) AS STRING)", "CAST(nullif(<any>, <any>) AS STRING)",
            "CAST(if(<bool>, <any>, <any>) AS STRING)", "concat(<any>, <any>)", "trim(<any>)", "replace(<any>, <str>, 'x')"],
    "bool": ["<int> = <int>", "<int> < <dec>", "<num> >= <num>", "<num> = <num>", "<str> = <str>", "<str> < <str>", "<date> < <date>", "<date> = <ts>",
             "<ntz> <= <ts>", "<ts> >= <ts>", "<date> <> <ntz>", "<str> = <int>", "<str> < <num>", "<str> = <date>", "<str> >= <ts>", "<flt> = <dec>",
             "<num> <=> <num>", "<str> <=> <str>", "<any> IS NULL", "<any> IS NOT NULL", "NOT (<bool>)", "(<bool>) AND (<bool>)", "(<bool>) OR (<bool>)",
             "<int> IN (<int>, <int>)", "<str> IN (<str>, <str>)", "<num> IN (<num>, <num>)", "<date> IN (<date>, <ts>)", "<num> BETWEEN <num> AND <num>",
             "<str> BETWEEN <str> AND <str>", "<time> BETWEEN <time> AND <time>", "<int> NOT IN (<int>, NULL)", "(<bool>) IS NOT TRUE", "(<bool>) IS FALSE",
             "<str> LIKE '<a%|%a%|_b|%|a\\\\%b|__|%\u00e9|2024-%>'", "<str> LIKE 'a!%%' ESCAPE '!'", "<str> ILIKE '<A%|%B%>'",
             "<str> RLIKE '<^a|b$|[0-9]+|^.$|^(a|b)|\\\\\\\\d>'", "startswith(<str>, <str>)", "endswith(<str>, <str>)", "contains(<str>, <str>)",
             "isnan(<flt>)", "isnan(<any>)", "<any> = <any>", "<any> < <any>", "<any> <=> <any>", "<any> IN (<any>, <any>)",
             "<any> BETWEEN <any> AND <any>", "CAST(<any> AS BOOLEAN)", "contains(<any>, <str>)", "CAST(<num> AS BOOLEAN)", "CAST(<str> AS BOOLEAN)", "<bool> = <bool>", "<bin> = <bin>", "<bin> < <bin>",
             "<str> IN (<int>, <int>)", "<int> IN (<str>, <int>)", "<ts> IN (<str>, <ts>)", "<str> BETWEEN <int> AND <int>", "<str> = <flt>",
             "CAST(<any> AS STRING) LIKE '<1%|%0|20%|t%>'", "<int> <=> <str>", "<time> <=> <str>", "<bool> <=> <str>", "<flt> <=> <str>", "<dec> <= <dec>",
             "<dec> IN (<dec>, <dec>)", "<int> >= <dec>", "<dec> <=> <str>", "<stamp> = <str>", "<date> NOT IN (<str>, <str>)",
             "<bin> = <str>", "<bool> = <str>"],
    "date": ["trunc(<time>, '<YEAR|QUARTER|MM|WEEK|YY|MON>')", "date_add(<date>, <-1|0|1|31|366>)", "date_sub(<date>, <1|30>)", "<date> + <0|1|-1|3000000>",
             "<date> - <1|7>", "date_add(<time>, <int>)", "add_months(<time>, <-1|0|1|12|13>)", "last_day(<time>)", "to_date(<time>)", "CAST(<stamp> AS DATE)",
             "CAST(<str> AS DATE)", "to_date(<str>)", "<date> + INTERVAL <1 DAY|1 MONTH|-1 MONTH|1 YEAR|1 WEEK|2 DAY>", "date_from_unix_date(<int>)",
             "to_date(<str>, 'yyyyMMdd')", "date_add(<str>, <int>)", "add_months(<date>, <int>)",
             "CAST(<any> AS DATE)", "last_day(<str>)", "trunc(<str>, 'MM')", "<date> + <int>", "<int> + <date>", "coalesce(<date>, CAST(<ts> AS DATE))"],
    "ts": [f"date_trunc('{UNIT}', <ts>)", f"date_trunc('{UNIT}', <date>)", f"<ts> + {INTERVAL}", f"<ts> - {INTERVAL}",
           "<date> + INTERVAL <1 HOUR|3 HOUR|24 HOUR|30 HOUR|1 MINUTE|1 DAY 3 HOUR>", "CAST(<date> AS TIMESTAMP)", "CAST(<ntz> AS TIMESTAMP)",
           "CAST(<str> AS TIMESTAMP)", "timestamp_seconds(<int>)", "timestamp_millis(<int>)", "timestamp_micros(<int>)", "to_timestamp(<str>)",
           "CAST(<int> AS TIMESTAMP)", "coalesce(<date>, <ts>)", "if(<bool>, <ts>, <ntz>)", f"date_trunc('{UNIT}', <str>)", "CAST(<dec> AS TIMESTAMP)",
           "CAST(<flt> AS TIMESTAMP)", "CAST(<any> AS TIMESTAMP)", "greatest(<date>, <ts>)", "coalesce(<ntz>, <ts>)", "nullif(<ts>, <date>)"],
    "ntz": [f"date_trunc('{UNIT}', <ntz>)", f"<ntz> + {INTERVAL}", f"<ntz> - {INTERVAL}", "CAST(<ts> AS TIMESTAMP_NTZ)", "CAST(<date> AS TIMESTAMP_NTZ)",
            "CAST(<str> AS TIMESTAMP_NTZ)", "greatest(<date>, <ntz>)"],
    "bin": ["CAST(<str> AS BINARY)", "coalesce(<bin>, <bin>)", "substring(<bin>, 1, 1)"],
}
SLOT = re.compile(r"<([A-Za-z0-9', :/_()!%\\.$^\[\]+|\u00e9-]+?)>")
FUNCTION = re.compile(r"\b([A-Za-z_]+)\(")

COMPARED = ["{e} = {a}", "{e} = {a}", "{e} <> {a}", "{e} < {a}", "{e} <= {a}", "{e} > {a}", "{e} >= {a}", "{a} < {e}", "{e} IN ({a}, {b})",
            "{e} NOT IN ({a}, {b})", "{e} IS NULL", "{e} IS NOT NULL", "{e} <=> {a}", "NOT ({e} <=> {a})", "NOT ({e} = {a})", "NOT ({e} >= {a})",
            "{e} BETWEEN {a} AND {b}", "{e} NOT BETWEEN {a} AND {b}", "({e} = {a}) IS NULL", "{e} IS DISTINCT FROM {a}"]
TESTED = ["{e}", "{e}", "NOT ({e})", "({e}) IS NULL", "({e}) IS NOT TRUE", "({e}) = false", "({e}) <=> true", "({e}) IS NOT NULL"]


class Expression:
    """`kids` are the expressions in its slots."""

    def __init__(self, sql, of_class, kids=(), has_column=False):
        self.sql, self.of_class, self.kids = sql, of_class, list(kids)
        self.has_column = has_column or any(kid.has_column for kid in self.kids)


class Predicate:
    def __init__(self, template, expression, values, joined=()):
        self.template, self.expression, self.values, self.joined = template, expression, values, list(joined)
        self.sql = template.format(e=f"({expression.sql})", **values) if expression else template.join(f"({p.sql})" for p in joined)

    def parts(self):
        if self.joined:
            return self.joined
        alike = [kid for kid in self.expression.kids if kid.of_class == self.expression.of_class and kid.has_column]
        return [Predicate(self.template, kid, self.values) for kid in alike]

    def names(self):
        """The functions of a predicate about one call of columns and literals."""
        if self.joined or any(kid.kids for kid in self.expression.kids):
            return []
        return {name.lower() for name in FUNCTION.findall(self.expression.sql)} or {"operators"}


class Grammar:
    def __init__(self, draw, columns, favoured=None):
        """`favoured`: a column that is asked about more than others."""
        self.draw, self.favoured = draw, favoured
        self.columns = {}
        for column in columns:
            self.columns.setdefault(class_of(column.kind), []).append(column)
        self.left = {}

    def expression(self):
        classes = [c for c in RESULTS if c != "bin"]
        if self.favoured and self.draw.random() < 0.5:
            return Expression(self.favoured.name, class_of(self.favoured.kind), has_column=True)
        while True:
            found = self.of_class(self.draw.choice(classes), self.draw.choice([1, 1, 1, 2, 2, 3]))
            if found.has_column and len(found.sql) < 600:
                return found

    def of_class(self, name, depth):
        draw = self.draw
        if depth <= 0 or draw.random() < 0.1:
            return self.leaf(name)
        return self.filled(self.next_pattern(name), name, depth)

    def next_pattern(self, name):
        """Patterns in an order of their own, each used once before one is used again; a part of the time one of EACH."""
        if not self.left.get(name):
            each = [pattern.replace("<T>", f"<{name}>") for pattern in EACH]
            self.left[name] = self.draw.sample(RESULTS[name] + each, len(RESULTS[name]) + len(each))
        return self.left[name].pop()

    def filled(self, pattern, name, depth):
        kids = []

        def fill(match):
            word = match[1]
            if word not in GROUPS and word not in RESULTS:
                return self.draw.choice(word.split("|"))
            chosen = self.choose(word)
            kid = self.of_class(chosen, depth - 1)
            kids.append(kid)
            return f"({kid.sql})" if kid.kids else kid.sql
        return Expression(SLOT.sub(fill, pattern), name, kids)

    def choose(self, group):
        """A class of the group; those that have columns more often."""
        classes = GROUPS.get(group, [group])
        there = [c for c in classes if c in self.columns]
        return self.draw.choice(there if there and self.draw.random() < 0.85 else classes)

    def leaf(self, name):
        columns, draw = self.columns.get(name), self.draw
        if columns and draw.random() < 0.8:
            return Expression(draw.choice(columns).name, name, has_column=True)
        kind = draw.choice(LITERAL_KINDS[name])
        if name != "bool" and draw.random() < 0.06:
            return Expression("NULL", name)
        return Expression(value_table.literal(kind, draw.choice(value_table.pool(kind))), name)

    def predicate(self, expression, kind, texts):
        """The expression, of which the type and the values are known, in a condition. None for a type without literals."""
        draw, values = self.draw, sorted({t for t in texts if t is not None})
        if kind == "boolean":
            return Predicate(draw.choice(TESTED), expression, {})
        if not values:
            return Predicate(draw.choice(["{e} IS NULL", "{e} IS NOT NULL"]), expression, {})
        chosen = [literal_of(kind, draw.choice(values)) for _ in range(2)]
        if None in chosen:
            return None
        return Predicate(draw.choice(COMPARED), expression, dict(zip("ab", chosen)))


def class_of(kind):
    return KIND_CLASSES.get(kind, "dec")


def literal_of(kind, text):
    """A value that Spark printed, as SQL."""
    word = kind.split("(")[0].upper()
    if "\0" in text or len(text) > 2000:  # which no command line holds
        return None
    if word == "DECIMAL":
        return text if "." in text else text + "BD"
    if word in ("TINYINT", "SMALLINT", "INT", "BIGINT"):
        return text
    if word in ("FLOAT", "DOUBLE"):
        return f"CAST('{text}' AS {word})" if word == "FLOAT" or text[-1] in "Ny" else f"{text}D"
    if word in ("STRING", "DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "BINARY"):
        return value_table.literal(word, text)
    return None
