#!/usr/bin/env python3
"""make_tables_spark.py - writes small Delta tables with Spark and Delta, with their data files, for make_truth.py.

    make_tables_spark.py WORK --jars FOLDER [--only NAME ...]

Called by: people (see README.md in this folder).  Must not know: lakeproof.

Each function below writes one table WORK/NAME and returns predicates written by hand; they are left in
WORK/NAME.wanted.json, where make_truth.py adds drawn ones. Rows are fixed. File names and times are the writer's.
"""
import argparse
import json
import pathlib
import shutil

import spark_session

TABLES = {}
ZONES = {}


def table(make=None, zones=("UTC",)):
    """Registers a table function; `zones` are the session time zones in which its predicates are asked."""
    def register(function):
        TABLES[function.__name__], ZONES[function.__name__] = function, list(zones)
        return function
    return register(make) if make else register


class Table:
    """A table under construction: `{t}` in SQL stands for it."""

    def __init__(self, spark, folder):
        self.spark, self.path, self.first_commit = spark, str(folder), 0

    def sql(self, text):
        return self.spark.sql(text.replace("{t}", f"delta.`{self.path}`"))

    def create(self, columns, partition=None, cluster=None, **properties):
        """Property names are written with `_` for `.` behind the first word: `delta_checkpointPolicy`."""
        text = f"CREATE TABLE {{t}} ({columns}) USING delta"
        text += f" PARTITIONED BY ({partition})" if partition else ""
        text += f" CLUSTER BY ({cluster})" if cluster else ""
        self.sql(text + properties_text("TBLPROPERTIES", properties))

    def put(self, *files, columns=""):
        """One commit; each argument holds the rows of one file (for each partition value in it)."""
        parts = [f"SELECT * FROM VALUES {rows}" for rows in files]
        self.sql(f"INSERT INTO {{t}} {columns} " + " UNION ALL ".join(parts))

    def set(self, **properties):
        self.sql("ALTER TABLE {t} SET" + properties_text("TBLPROPERTIES", properties))

    def checkpoint(self):
        spark_session.delta_log(self.spark, self.path).checkpoint()

    def delete_commits_before(self, version):
        """What log cleanup leaves: no commit older than `version`. Done when the log is copied, since Spark wants the
        commit of a checkpoint."""
        self.first_commit = version

    def settings(self, **settings):
        return Settings(self.spark, {key.replace("__", "."): value for key, value in settings.items()})


class Settings:
    """Session settings that hold inside a `with`."""

    def __init__(self, spark, settings):
        self.spark, self.settings = spark, settings

    def __enter__(self):
        self.before = {key: self.spark.conf.get(key, None) for key in self.settings}
        for key, value in self.settings.items():
            self.spark.conf.set(key, value)

    def __exit__(self, *_):
        for key, value in self.before.items():
            self.spark.conf.unset(key) if value is None else self.spark.conf.set(key, value)


def properties_text(word, properties):
    if not properties:
        return ""
    pairs = ", ".join(f"'{name.replace('_', '.')}'='{value}'" for name, value in properties.items())
    return f" {word} ({pairs})"


def zone(t, name):
    return t.settings(spark__sql__session__timeZone=name)


# ---------------------------------------------------------------------------------------- values

@table
def sp_types(t):
    """Every primitive type by Spark: extremes, NaN, -0.0, all-NULL files, microseconds; statistics from JSON commits."""
    t.create("id INT, b BYTE, s SHORT, i INT, l BIGINT, f FLOAT, d DOUBLE, m DECIMAL(9,2), n DECIMAL(38,10), ok BOOLEAN, "
             "txt STRING, bin BINARY, dt DATE, ts TIMESTAMP, ntz TIMESTAMP_NTZ")
    t.put("(1,1,10,100,1000,1.5F,2.5D,10.00,1.0000000001,true,'apple',X'0001',DATE'2024-01-05',"
          "TIMESTAMP'2024-01-05 10:00:00.000001',TIMESTAMP_NTZ'2024-01-05 10:00:00.000001'),"
          "(2,5,50,500,5000,7.25F,9.75D,99.99,99999.5,true,'cherry',X'6162',DATE'2024-02-29',"
          "TIMESTAMP'2024-02-29 23:59:59.999999',TIMESTAMP_NTZ'2024-02-29 23:59:59.999999')",
          "(3,-128,-32768,-2147483648,-9223372036854775808,float('-Infinity'),double('-Infinity'),-9999999.99,"
          "-9999999999999999999999999999.9999999999,false,'',X'',DATE'0999-03-01',TIMESTAMP'1582-10-15 00:00:00',"
          "TIMESTAMP_NTZ'1900-01-01 00:00:00'),"
          "(4,127,32767,2147483647,9223372036854775807,float('Infinity'),double('Infinity'),9999999.99,"
          "9999999999999999999999999999.9999999999,true,'zzz',X'FFFF',DATE'9999-12-31',TIMESTAMP'9999-12-31 23:59:59',"
          "TIMESTAMP_NTZ'9999-12-31 23:59:59.999999')")
    t.put(f"(5,{','.join(['NULL'] * 14)}),(6,{','.join(['NULL'] * 14)})",
          "(7,0,0,0,9007199254740993,-0.0F,-0.0D,0.00,0,NULL,'na\u00efve',X'80',DATE'1970-01-01',"
          "TIMESTAMP'1970-01-01 00:00:00',TIMESTAMP_NTZ'1970-01-01 00:00:00')")
    t.put("(8,0,0,0,9007199254740992,0.0F,0.0D,-0.01,0.0000000001,true,'\u65e5\u672c',X'7F',DATE'1969-12-31',"
          "TIMESTAMP'1969-12-31 23:59:59.999999',TIMESTAMP_NTZ'1969-12-31 23:59:59.999999'),"
          "(9,NULL,3,NULL,7,float('NaN'),0.1D,NULL,3,false,NULL,NULL,NULL,NULL,NULL)",
          "(10,7,7,7,7,1.1F,double('NaN'),7.07,7.0707070707,true,'x_y%z',X'7827',DATE'2024-01-31',"
          "TIMESTAMP'2024-01-31 12:30:00.5',TIMESTAMP_NTZ'2024-01-31 12:30:00.5')")
    return ["l > 9007199254740992", "l <= 9.007199254740992E15", "l = 9.007199254740992E15D", "i = 40.5", "i < 100.5",
            "f = 1.1", "f = 1.1F", "f > 1.1D", "d = 0.1", "d = -0.0D", "d < 0.0D", "d > 1000", "d = double('NaN')",
            "f >= double('NaN')", "NOT (d < 100)", "isnan(d)", "m = 99.991", "m < 7.071", "m >= 99.99D", "ok", "NOT ok",
            "txt LIKE 'x!_y%' ESCAPE '!'", "txt LIKE 'x\\\\_y%'", "txt LIKE '%\u00efv%'", "txt > 'z'",
            "ts > TIMESTAMP '2024-02-29 23:59:59.999998'", "ts > TIMESTAMP '9999-12-31 23:59:58.9'",
            "ts <= TIMESTAMP '1969-12-31 23:59:59.999999'", "ts >= '2024-01-31'", "ntz >= TIMESTAMP_NTZ '2024-01-31 12:30:00.5'",
            "ntz > TIMESTAMP_NTZ '9999-12-31 23:59:59.999'", "dt < DATE '1970-01-01'", "dt > '2024-02-29'", "bin = X'6162'"]


@table
def sp_text(t):
    """Texts longer than the 32 characters that statistics keep, multi-byte at the cut; CHAR and VARCHAR; LIKE in all forms."""
    t.create("id INT, s STRING, c CHAR(4), v VARCHAR(12)")
    x = "x" * 31
    t.put(f"(1,'{x}aa','a','a'), (2,'{x}ab','ab','ab ')", f"(3,'{x}\U0001F600\U0001F600','abcd','a_b%c'), (4,'{x}z','','')")
    t.put("(5,'\u65e5\u672c\u8a9e','b','\u00e9'), (6,'\uffff\uffff','c ','\uffff')",
          "(7,'" + "\U0010FFFF" * 40 + "','d',NULL), (8,'" + "\uffff" * 40 + "',NULL,'d')")
    t.put("(9,NULL,NULL,NULL)", "(10,'a\\\\b%c_d','zz','100%'), (11,'','zz','50_')", "(12,'Abc','ABC','aBC')")
    return [f"s = '{x}ab'", f"s > '{x}ab'", f"s >= '{x}z'", f"s LIKE '{x}a%'", f"s LIKE '{x}\U0001F600%'", "s LIKE 'x%a'",
            "s > '\U0001F600'", "s >= '\U0010FFFF'", "s LIKE '\U0010FFFF%'", "s LIKE '\uffff%'", "s < 'A'", "s = ''",
            "s LIKE 'a\\\\\\\\b%'", "s LIKE '%\\\\%c%'", "s LIKE '%!_d' ESCAPE '!'", "s LIKE '%'", "s LIKE ''", "s NOT LIKE 'x%'",
            "NOT (s LIKE 'x%' OR s IS NULL)", "s ILIKE 'ABC'", "s RLIKE '^x+a'", "c = 'a'", "c = 'a   '", "c = 'ab  '",
            "c > 'ab'", "c IN ('b', 'c   ')", "c LIKE 'a%'", "c <=> 'd'", "c = v", "v = 'ab'", "v = 'ab '", "v LIKE 'a\\\\_b%'",
            "v LIKE '100\\\\%'", "v LIKE '__\\\\_'", "v >= '\u00e9'", "length(c) = 4"]


@table(zones=("UTC", "America/New_York"))
def sp_zones(t):
    """Timestamps and timestamp partitions written in several session zones, asked in two; dates against timestamps."""
    t.create("id INT, ts TIMESTAMP, ntz TIMESTAMP_NTZ, dt DATE, p TIMESTAMP", partition="p")
    t.put("(1,TIMESTAMP'2024-03-10 06:30:00',TIMESTAMP_NTZ'2024-03-10 02:30:00',DATE'2024-03-10',TIMESTAMP'2024-03-10 00:00:00'),"
          "(2,TIMESTAMP'2024-03-10 07:30:00.123456',TIMESTAMP_NTZ'2024-03-10 03:30:00',DATE'2024-03-10',TIMESTAMP'2024-03-10 00:00:00')")
    with zone(t, "America/New_York"):
        t.put("(3,TIMESTAMP'2024-11-03 01:30:00',TIMESTAMP_NTZ'2024-11-03 01:30:00',DATE'2024-11-03',TIMESTAMP'2024-11-03 00:00:00'),"
              "(4,TIMESTAMP'2024-11-03 01:30:00 EST',TIMESTAMP_NTZ'2024-11-03 01:30:00',DATE'2024-11-02',TIMESTAMP'2024-11-03 00:00:00')")
    with zone(t, "Asia/Kolkata"):
        t.put("(5,TIMESTAMP'2024-01-01 00:00:00',NULL,DATE'2024-01-01',TIMESTAMP'2024-01-01 00:00:00.5'),"
              "(6,NULL,TIMESTAMP_NTZ'2023-12-31 18:30:00',NULL,NULL)")
    with t.settings(spark__databricks__delta__write__utcTimestampPartitionValues="false"):
        t.put("(7,TIMESTAMP'2024-06-01 12:00:00',TIMESTAMP_NTZ'2024-06-01 12:00:00',DATE'2024-06-01',TIMESTAMP'2024-06-01 12:00:00')")
    return ["ts = TIMESTAMP '2024-03-10 06:30:00'", "ts > TIMESTAMP '2024-03-10 07:30:00.123'", "ts < TIMESTAMP '2024-01-01 00:00:00'",
            "ts >= TIMESTAMP '2024-11-03 01:30:00 America/New_York'", "ts = '2024-01-01T00:00:00+05:30'", "ts >= DATE '2024-06-01'",
            "DATE '2024-01-01' > ts", "CAST(ts AS DATE) = DATE '2023-12-31'", "ntz = TIMESTAMP_NTZ '2024-11-03 01:30:00'",
            "ntz < TIMESTAMP_NTZ '2024-01-01 00:00:00'", "dt = DATE '2024-11-03'", "dt > TIMESTAMP '2024-06-01 00:00:00'",
            "p = TIMESTAMP '2024-03-10 00:00:00Z'", "p = TIMESTAMP '2024-11-03 00:00:00'", "p > TIMESTAMP '2024-06-01 12:00:00'",
            "p >= TIMESTAMP '2024-06-01 12:00:00'", "p < '2024-01-01'", "p IS NULL", "p IN (TIMESTAMP '2024-01-01 00:00:00.5')",
            "year(p) = 2023", "hour(ts) = 1", "p <=> TIMESTAMP '2024-06-01 12:00:00Z'"]


@table
def sp_nested(t):
    """Structs in structs, NULL structs, arrays and maps, fields that share names at several levels."""
    t.create("id INT, a STRUCT<b: INT, c: STRUCT<b: INT, s: STRING, `x.y`: INT>, d: DATE>, list ARRAY<STRUCT<b: INT>>, "
             "map MAP<STRING, INT>, b INT")
    t.put("(1,named_struct('b',1,'c',named_struct('b',10,'s','p','x.y',7),'d',DATE'2024-01-01'),array(named_struct('b',1)),map('k',1),100),"
          "(2,named_struct('b',2,'c',named_struct('b',20,'s','q','x.y',8),'d',DATE'2024-01-09'),array(),map(),200)",
          "(3,named_struct('b',30,'c',NULL,'d',NULL),NULL,NULL,3), (4,NULL,array(NULL),map('z',NULL),4)")
    t.put("(5,named_struct('b',NULL,'c',named_struct('b',NULL,'s','zz','x.y',NULL),'d',DATE'2024-03-01'),NULL,NULL,NULL)",
          "(6,NULL,NULL,NULL,-6), (7,NULL,NULL,NULL,-7)")
    return ["a.b = 2", "2 < a.b", "a.c.b <= 10", "a.c.b IS NULL", "a.c.b IS NOT NULL", "a.c.s LIKE 'z%'", "a.c.`x.y` = 8",
            "a.c.`x.y` IS NULL", "b = 4", "b < 0", "a.b > 1 AND b > 1", "a IS NULL", "a IS NOT NULL", "a.c IS NULL", "a.c IS NOT NULL",
            "NOT (a.b > 1 OR a.c.b > 15)", "a.b <=> NULL", "a.b IN (1, NULL)", "a.b NOT IN (1, NULL)", "list[0].b = 1",
            "size(list) = 0", "map['k'] = 1", "a.c = named_struct('b',10,'s','p','x.y',7)", "A.C.B = 20", "a.d > '2024-02-01'"]


# ---------------------------------------------------------------------------------------- partitions

@table
def sp_partition_types(t):
    """A partition column of every type by Spark, their edges, NULLs, and path escaping."""
    t.create("id INT, pb BYTE, pi INT, pl BIGINT, pf FLOAT, pd DOUBLE, pm DECIMAL(9,2), pok BOOLEAN, ptxt STRING, pdt DATE, "
             "pts TIMESTAMP, pntz TIMESTAMP_NTZ, pbin BINARY", partition="pb,pi,pl,pf,pd,pm,pok,ptxt,pdt,pts,pntz,pbin")
    t.put("(1,1,100,1000,1.5F,2.5D,10.00,true,'apple',DATE'2024-01-05',TIMESTAMP'2024-01-05 10:00:00',"
          "TIMESTAMP_NTZ'2024-01-05 10:00:00',X'41'),"
          "(2,5,500,5000,float('NaN'),double('NaN'),99.99,false,'b c/d=e%f',DATE'2024-02-29',TIMESTAMP'2024-02-29 23:59:59.999999',"
          "TIMESTAMP_NTZ'2024-02-29 23:59:59.999999',X'4142'),"
          "(3,-128,-2147483648,-9223372036854775808,-1.25F,double('-Infinity'),-9999999.99,false,'\u00c4rger',DATE'0999-01-01',"
          "TIMESTAMP'1969-12-31 23:59:59.5',TIMESTAMP_NTZ'1969-12-31 23:59:59.5',X'01'),"
          "(4,127,2147483647,9007199254740993,1e30F,1e300D,9999999.99,true,'\u65e5\u672c',DATE'9999-12-31',"
          "TIMESTAMP'9999-12-31 00:00:00',TIMESTAMP_NTZ'9999-12-31 00:00:00',X'7A')")
    t.put("(5," + ",".join(["NULL"] * 12) + "), (6,0,0,0,0.0F,-0.0D,0.00,NULL,'x_y',DATE'1970-01-01',TIMESTAMP'1970-01-01 00:00:00',"
          "TIMESTAMP_NTZ'1970-01-01 00:00:00',NULL), (7,NULL,NULL,1000,NULL,2.5D,NULL,true,'',DATE'2024-01-05',NULL,"
          "TIMESTAMP_NTZ'2024-01-05 10:00:00',X'41')")
    return ["ptxt LIKE 'b c%'", "ptxt LIKE '%/d=%'", "ptxt LIKE 'x!_y' ESCAPE '!'", "ptxt LIKE 'x_y'", "ptxt NOT LIKE '%p%'",
            "ptxt = ''", "ptxt IS NULL", "upper(ptxt) = 'APPLE'", "pl > 9007199254740992", "pl <= 9.007199254740992E15D", "pd = 0.0",
            "pd > 1e300D", "pd = double('NaN')", "isnan(pf)", "pf > 1.4", "pm = 10", "pm < 10.001", "pok", "NOT pok", "pok IS NULL",
            "pdt >= '2024-01-05'", "pdt < DATE '1970-01-01'", "year(pdt) = 2024", "pts = TIMESTAMP '2024-01-05 10:00:00'",
            "pts > '2024-02-29 23:59:59'", "pntz < TIMESTAMP_NTZ '1970-01-01 00:00:00'", "pbin = X'41'", "pbin > X'41'",
            "pi = 100 AND id > 1", "pi = 100 OR id > 6", "pb + 1 > 5"]


@table
def sp_generated(t):
    """Partition columns that Spark computes from data columns."""
    t.sql("CREATE TABLE {t} (id INT, ts TIMESTAMP, s STRING, day DATE GENERATED ALWAYS AS (CAST(ts AS DATE)), "
          "yr INT GENERATED ALWAYS AS (YEAR(ts)), head STRING GENERATED ALWAYS AS (SUBSTRING(s, 1, 2))) USING delta "
          "PARTITIONED BY (day, yr, head)")
    t.put("(1,TIMESTAMP'2024-01-01 23:30:00','abc'), (2,TIMESTAMP'2024-01-02 00:00:00','abd')", columns="(id, ts, s)")
    with zone(t, "America/New_York"):
        t.put("(3,TIMESTAMP'2023-12-31 23:30:00','b'), (4,TIMESTAMP'2024-01-02 12:00:00',NULL)", columns="(id, ts, s)")
    t.put("(5,NULL,'\u00e9\u00e8x'), (6,TIMESTAMP'2022-06-01 12:00:00','')", columns="(id, ts, s)")
    return ["ts < TIMESTAMP '2024-01-01 00:00:00'", "ts >= TIMESTAMP '2024-01-01 04:30:00'", "ts = TIMESTAMP '2024-01-01 04:30:00'",
            "day = DATE '2024-01-01'", "day = '2023-12-31'", "yr = 2023", "yr < 2024 AND ts > TIMESTAMP '2023-06-01 00:00:00'",
            "CAST(ts AS DATE) = DATE '2024-01-01'", "year(ts) = 2024", "s = 'abc'", "s LIKE 'ab%'", "head = 'ab' AND s > 'abc'",
            "s < 'b'", "ts IS NULL", "s IS NULL", "head LIKE '\u00e9%'", "day IS NULL OR head IS NULL"]


# ---------------------------------------------------------------------------------------- schema changes

def change_columns(t):
    """What column mapping allows: rename, drop, add again under an old name, nested and partition columns too."""
    t.put("(1,10,named_struct('x',1,'y','p'),'east'), (2,20,named_struct('x',2,'y','q'),'west')")
    t.sql("ALTER TABLE {t} RENAME COLUMN val TO worth")
    t.sql("ALTER TABLE {t} RENAME COLUMN s.x TO z")
    t.put("(3,30,named_struct('z',3,'y','r'),'east'), (4,NULL,NULL,NULL)")
    t.sql("ALTER TABLE {t} RENAME COLUMN p TO `part of it`")
    t.sql("ALTER TABLE {t} DROP COLUMN worth")
    t.sql("ALTER TABLE {t} ADD COLUMN (worth BIGINT, val STRING)")
    t.put("(5,named_struct('z',5,'y','t'),'north',500,'new'), (6,named_struct('z',NULL,'y','u'),'east',600,NULL)")
    return ["worth > 100", "worth IS NULL", "worth = 10", "val = 'new'", "val IS NULL", "s.z > 2", "s.z = 1", "s.z IS NULL",
            "s.y LIKE 'r%'", "`part of it` = 'east'", "`part of it` = 'east' AND id > 3", "`part of it` IS NULL", "id >= 5",
            "`part of it` IN ('north', NULL)", "`part of it` LIKE '%st' AND s.z < 3", "`part of it` = 'west' OR worth > 550",
            "S.Z <= 2", "NOT (worth IS NOT NULL OR id > 2)"]


@table
def sp_mapping_name(t):
    """Column mapping by name with renames, drops and re-adds; a checkpoint and a commit after it."""
    t.create("id INT, val INT, s STRUCT<x: INT, y: STRING>, p STRING", partition="p", delta_columnMapping_mode="name",
             delta_minReaderVersion="2", delta_minWriterVersion="5")
    wanted = change_columns(t)
    t.checkpoint()
    t.put("(7,named_struct('z',7,'y','v'),'south',700,'last')")
    return wanted


@table
def sp_mapping_id(t):
    """Column mapping by id with renames, drops and re-adds; commits only."""
    t.create("id INT, val INT, s STRUCT<x: INT, y: STRING>, p STRING", partition="p", delta_columnMapping_mode="id",
             delta_minReaderVersion="2", delta_minWriterVersion="5")
    return change_columns(t)


@table
def sp_mapping_added(t):
    """Column mapping turned on for a table with files, physical names equal to the old ones; awkward names added."""
    t.create("id INT, v DOUBLE, p DATE", partition="p")
    t.put("(1,1.5D,DATE'2024-01-01'), (2,2.5D,DATE'2024-01-02')")
    t.set(delta_columnMapping_mode="name", delta_minReaderVersion="2", delta_minWriterVersion="5")
    t.sql("ALTER TABLE {t} ADD COLUMN (`a b,c;{}` INT, `x.y` INT, `back``tick` STRING)")
    t.sql("ALTER TABLE {t} RENAME COLUMN v TO id2")
    t.put("(3,3.5D,DATE'2024-01-01',30,31,'q'), (4,NULL,NULL,40,NULL,'r')")
    return ["id2 > 2", "id2 < 2 AND p = DATE '2024-01-01'", "`a b,c;{}` >= 30", "`a b,c;{}` IS NULL", "`x.y` = 31", "`x.y` IS NULL",
            "`back``tick` = 'q'", "`back``tick` LIKE 'r%'", "p IS NULL", "p = '2024-01-02' OR `x.y` > 30", "ID2 = 3.5"]


@table
def sp_widening(t):
    """Type widening of data, nested and partition columns: statistics and partition values of old files keep the old form."""
    t.create("id INT, b BYTE, i INT, f FLOAT, m DECIMAL(6,2), dt DATE, s STRUCT<x: SHORT>, p INT", partition="p",
             delta_enableTypeWidening="true", delta_feature_timestampNtz="supported")
    t.put("(1,1,100,1.1F,12.34,DATE'2024-01-01',named_struct('x',1S),1), (2,127,2147483647,3.4E38F,9999.99,DATE'2024-02-29',"
          "named_struct('x',32767S),2)", "(3,-128,-2147483648,-0.0F,-9999.99,DATE'0999-12-31',named_struct('x',NULL),1)")
    for column, kind in [("b", "INT"), ("i", "BIGINT"), ("f", "DOUBLE"), ("m", "DECIMAL(12,4)"), ("dt", "TIMESTAMP_NTZ"),
                         ("s.x", "INT"), ("p", "BIGINT")]:
        t.sql(f"ALTER TABLE {{t}} ALTER COLUMN {column} TYPE {kind}")
    t.put("(4,300,5000000000,1.1D,12.3456,TIMESTAMP_NTZ'2024-01-01 12:00:00',named_struct('x',70000),5000000000)",
          "(5,NULL,NULL,double('NaN'),NULL,NULL,NULL,NULL)")
    return ["b > 127", "b = -128", "i > 2147483647", "i <= -2147483648", "f > 1.1D", "f = 1.1D", "f = 1.1F", "f <= 1.1D", "f < 0",
            "f >= 3.4E38D", "m = 12.34", "m > 12.34", "m = 12.3456", "dt = TIMESTAMP_NTZ '2024-01-01 00:00:00'",
            "dt > TIMESTAMP_NTZ '2024-01-01 00:00:00'", "dt >= DATE '2024-02-29'", "s.x > 32767", "s.x IS NULL", "p = 1",
            "p > 2147483647", "p IS NULL", "p = 1 AND b < 0"]


@table
def sp_evolution(t):
    """Columns that old files lack, NOT NULL and CHECK, defaults, a NULL-only column of void type turned real."""
    t.create("id INT NOT NULL, v INT, p STRING NOT NULL", partition="p", delta_feature_allowColumnDefaults="supported")
    t.sql("ALTER TABLE {t} ADD CONSTRAINT positive CHECK (v > 0 OR v IS NULL)")
    t.put("(1,10,'a'), (2,NULL,'b')")
    t.sql("ALTER TABLE {t} ADD COLUMN (w STRING, q STRUCT<k: INT>)")
    t.put("(3,30,'a','w3',named_struct('k',3)), (4,40,'c',NULL,NULL)")
    t.sql("ALTER TABLE {t} ALTER COLUMN w SET DEFAULT 'none'")
    t.sql("INSERT INTO {t} (id, v, p, q) VALUES (5, 50, 'b', named_struct('k', NULL))")
    return ["w IS NULL", "w IS NOT NULL", "w = 'none'", "w > 'none'", "q.k = 3", "q.k IS NULL", "q IS NULL", "v > 10", "v IS NULL",
            "w IS NULL AND p = 'a'", "p IN ('a', 'c') AND v < 35", "NOT (w = 'w3')", "w <=> NULL OR v > 45", "id IS NULL", "p IS NOT NULL"]


# ---------------------------------------------------------------------------------------- deletion vectors and changes

@table
def sp_vectors(t):
    """Deletion vectors by DELETE, UPDATE and MERGE, on a file twice, one file emptied; a checkpoint between."""
    t.create("id INT, v INT, p STRING", partition="p", delta_enableDeletionVectors="true")
    t.put("(1,1,'a'),(2,2,'a'),(3,3,'a'),(4,4,'a'),(5,5,'a')", "(11,11,'b'),(12,12,'b'),(13,NULL,'b')", "(21,21,'a'),(22,22,'a')")
    t.sql("DELETE FROM {t} WHERE id = 5")
    t.sql("UPDATE {t} SET v = 100 WHERE id = 11")
    t.sql("DELETE FROM {t} WHERE id = 1")
    t.checkpoint()
    t.sql("DELETE FROM {t} WHERE id IN (21, 22)")
    t.sql("MERGE INTO {t} USING (SELECT 2 AS id, 'a' AS p UNION ALL SELECT 99, 'z') s ON {t}.id = s.id "
          "WHEN MATCHED THEN UPDATE SET v = 200 WHEN NOT MATCHED THEN INSERT (id, v, p) VALUES (99, 99, s.p)".replace(
              "{t}.id", "id0").replace("MERGE INTO {t}", "MERGE INTO {t} AS t0").replace("id0", "t0.id"))
    return ["id = 5", "id = 1", "id <= 2", "v = 100", "v >= 100", "v IS NULL", "p = 'a' AND v > 20", "p = 'z'", "id > 20",
            "v BETWEEN 2 AND 4", "p = 'b' OR id < 3", "NOT (v < 50)"]


@table
def sp_lifecycle(t):
    """Overwrite, replaceWhere, optimize, restore and truncation in one history; row tracking and change data on."""
    t.create("id INT, v STRING, d DATE", partition="d", delta_enableChangeDataFeed="true", delta_enableRowTracking="true",
             delta_enableInCommitTimestamps="true")
    t.put("(1,'a',DATE'2024-01-01'),(2,'b',DATE'2024-01-02')", "(3,'c',DATE'2024-01-01')")
    t.put("(4,'d',DATE'2024-01-03')")
    t.sql("OPTIMIZE {t} WHERE d = '2024-01-01'")
    t.sql("INSERT INTO {t} REPLACE WHERE d = '2024-01-02' SELECT 20, 'bb', DATE'2024-01-02'")
    t.sql("DELETE FROM {t} WHERE d = '2024-01-03'")
    t.sql("TRUNCATE TABLE {t}")
    t.sql("RESTORE TABLE {t} TO VERSION AS OF 4")
    t.put("(5,NULL,NULL),(6,'f',DATE'2024-01-03')")
    return ["id = 2", "id = 20", "d = DATE '2024-01-02'", "v >= 'bb'", "v IS NULL", "d IS NULL", "d > '2024-01-01' AND v < 'e'",
            "d = '2024-01-01' AND v = 'b'", "d = '2024-01-01' OR v = 'f'"]


@table
def sp_clustered(t):
    """Liquid clustering, the clustering columns changed once; no partitions."""
    t.create("id INT, region STRING, at TIMESTAMP", cluster="region")
    t.put("(1,'de',TIMESTAMP'2024-01-01 00:00:00'),(2,'fr',TIMESTAMP'2024-01-02 00:00:00')", "(3,'de',TIMESTAMP'2024-02-01 00:00:00')")
    t.sql("ALTER TABLE {t} CLUSTER BY (at, region)")
    t.put("(4,'it',TIMESTAMP'2024-03-01 00:00:00')", "(5,NULL,NULL)")
    t.sql("OPTIMIZE {t}")
    t.put("(6,'us',TIMESTAMP'2024-04-01 00:00:00')", "(7,'de',TIMESTAMP'2024-05-01 00:00:00'),(8,NULL,TIMESTAMP'2024-05-09 00:00:00')")
    t.put("(9,'at',NULL)", "(10,'ch',TIMESTAMP'2023-12-01 00:00:00'),(11,'cz',TIMESTAMP'2023-12-31 00:00:00')")
    return ["region = 'de'", "region IN ('it', 'us')", "at >= TIMESTAMP '2024-03-01 00:00:00'", "region IS NULL", "at < '2024-02-01' AND id > 1"]


# ---------------------------------------------------------------------------------------- statistics and checkpoints

def many_files(t):
    """Eight files in four commits, the first column ascending over the table, two partition values and NULL."""
    for i in range(4):
        low = i * 100
        t.put(f"({low},{i}.5D,'k{i}',DATE'2024-01-0{i + 1}','x'),({low + 9},NULL,'k{i}z',NULL,'x')",
              f"({low + 50},{i}.75D,NULL,DATE'2024-02-0{i + 1}','y'),({low + 59},-{i}.0D,'m{i}',DATE'2024-03-01',NULL)")
    return ["id > 250", "id < 10", "id BETWEEN 55 AND 105", "v > 2.5", "v < 0", "v IS NULL", "k LIKE 'k2%'", "k >= 'm'", "k IS NULL",
            "d > DATE '2024-02-15'", "d IS NULL", "p = 'x' AND id >= 300", "p IS NULL", "p = 'y' OR id = 209", "p IN ('x', NULL) AND k < 'k1'",
            "NOT (id > 60 OR v > 1)", "k <=> 'k3z'", "d IS DISTINCT FROM DATE '2024-01-01' AND p = 'x'", "p LIKE '_' AND v >= 3.5"]


MANY_COLUMNS = "id INT, v DOUBLE, k STRING, d DATE, p STRING"


@table
def sp_checkpoint_classic(t):
    """A classic checkpoint with statistics as JSON text, older commits deleted, two commits after it."""
    t.create(MANY_COLUMNS, partition="p", delta_checkpoint_writeStatsAsStruct="false")
    wanted = many_files(t)
    t.sql("DELETE FROM {t} WHERE id = 50")
    t.checkpoint()
    t.put("(900,9.5D,'q',DATE'2025-01-01','x')")
    t.sql("DELETE FROM {t} WHERE p = 'x' AND id < 10")
    t.delete_commits_before(6)
    return wanted + ["id >= 900"]


@table
def sp_checkpoint_struct(t):
    """A classic checkpoint with struct statistics and struct partition values only, commits deleted."""
    t.create(MANY_COLUMNS + ", n STRUCT<a: INT, t: TIMESTAMP>, m DECIMAL(12,3), s SHORT, f FLOAT, z TIMESTAMP_NTZ", partition="p",
             delta_checkpoint_writeStatsAsStruct="true", delta_checkpoint_writeStatsAsJson="false")
    for i in range(3):
        t.put(f"({i},{i}.5D,'k{i}',DATE'2024-01-0{i + 1}','x',named_struct('a',{i},'t',TIMESTAMP'2024-01-01 0{i}:00:00.000001'),{i}.125,"
              f"{i}S,{i}.25F,TIMESTAMP_NTZ'1969-12-31 23:59:5{i}.5')",
              f"({i + 10},NULL,NULL,NULL,NULL,NULL,NULL,NULL,float('NaN'),NULL),({i + 20},-{i}.5D,'{'w' * 40}{i}',DATE'1500-01-01','y',"
              f"named_struct('a',NULL,'t',NULL),-{i}.5,-{i}S,-{i}.1F,TIMESTAMP_NTZ'9999-01-01 00:00:00')")
    t.checkpoint()
    t.delete_commits_before(6)
    return ["n.a = 1", "n.a IS NULL", "n.t > TIMESTAMP '2024-01-01 01:00:00'", "m > 1.1255", "m = 2.125", "m < 0", "s >= 2", "f > 2", "f = -1.1F",
            "f = double('NaN')", "z < TIMESTAMP_NTZ '1969-12-31 23:59:51'", "z > TIMESTAMP_NTZ '2000-01-01 00:00:00'", "d < DATE '1582-10-15'",
            f"k = '{'w' * 40}1'", f"k > '{'w' * 32}'", "p = 'x' AND v > 1", "p IS NULL AND f > 0", "v < 0 OR p = 'x'"]


@table
def sp_checkpoint_parts(t):
    """A checkpoint in parts, the last commit deleted too: nothing but the checkpoint is left."""
    t.create(MANY_COLUMNS, partition="p")
    wanted = many_files(t)
    with t.settings(spark__databricks__delta__checkpoint__partSize="3"):
        t.checkpoint()
    t.delete_commits_before(5)
    return wanted


@table
def sp_checkpoint_v2_json(t):
    """A V2 checkpoint with a JSON manifest and sidecars; statistics in both forms; deletion vectors on."""
    t.create(MANY_COLUMNS, partition="p", delta_checkpointPolicy="v2", delta_enableDeletionVectors="true")
    wanted = many_files(t)
    t.sql("DELETE FROM {t} WHERE id = 109")
    with t.settings(spark__databricks__delta__checkpoint__partSize="4",
                    spark__databricks__delta__checkpointV2__topLevelFileFormat="json"):
        t.checkpoint()
    t.put("(900,9.5D,'q',DATE'2025-01-01','x')")
    t.delete_commits_before(6)
    return wanted + ["id > 105 AND p = 'x'"]


@table
def sp_checkpoint_v2_parquet(t):
    """A V2 checkpoint with a Parquet manifest and sidecars, struct statistics only, column mapping by name."""
    t.create(MANY_COLUMNS, partition="p", delta_checkpointPolicy="v2", delta_columnMapping_mode="name",
             delta_checkpoint_writeStatsAsStruct="true", delta_checkpoint_writeStatsAsJson="false")
    wanted = many_files(t)
    t.sql("ALTER TABLE {t} RENAME COLUMN k TO p2")
    t.sql("ALTER TABLE {t} RENAME COLUMN p TO k")
    t.sql("ALTER TABLE {t} RENAME COLUMN p2 TO p")
    with t.settings(spark__databricks__delta__checkpointV2__topLevelFileFormat="parquet"):
        t.checkpoint()
    t.delete_commits_before(8)
    swap = str.maketrans({"k": "p", "p": "k"})
    return [w.translate(swap) if "'" not in w and " p" not in w else w for w in wanted]


@table
def sp_checkpoint_no_stats(t):
    """A checkpoint without statistics, then commits with them: what is missing below is there above."""
    t.create(MANY_COLUMNS, partition="p", delta_checkpoint_writeStatsAsJson="false", delta_checkpoint_writeStatsAsStruct="false")
    wanted = many_files(t)
    t.checkpoint()
    t.put("(900,9.5D,'q',DATE'2025-01-01','x'),(901,NULL,NULL,NULL,'y')")
    t.delete_commits_before(5)
    return wanted + ["id < 10 AND p = 'x'", "id >= 900"]


@table
def sp_stats_columns(t):
    """Which columns have statistics changes twice, by number and by name; a nested column is cut in the middle."""
    t.create("a INT, s STRUCT<x: INT, y: INT>, b INT, c STRING", delta_dataSkippingNumIndexedCols="2")
    t.put("(1,named_struct('x',10,'y',11),100,'p'), (2,named_struct('x',20,'y',21),200,'q')")
    t.set(delta_dataSkippingNumIndexedCols="-1")
    t.put("(3,named_struct('x',30,'y',31),300,'r')", "(4,NULL,NULL,NULL)")
    t.set(delta_dataSkippingStatsColumns="s.y,c")
    t.put("(5,named_struct('x',50,'y',51),500,'s'), (NULL,named_struct('x',NULL,'y',NULL),NULL,'t')")
    with t.settings(spark__databricks__delta__stats__collect="false"):
        t.put("(7,named_struct('x',70,'y',71),700,'u')")
    return ["a > 4", "a IS NULL", "s.x >= 30", "s.y > 31", "s.y IS NULL", "b < 150", "b IS NULL", "c > 'r'", "c = 'u'", "a = 3 AND s.y = 31",
            "NOT (a > 2)", "a < 3 OR c = 's'", "s.x IS NOT NULL AND b > 600"]


@table
def sp_empty(t):
    """A partitioned table whose rows are all gone."""
    t.create("id INT, p STRING", partition="p")
    t.put("(1,'a'),(2,'b')")
    t.sql("DELETE FROM {t}")
    return ["id = 1", "p = 'a'", "p = 'a' OR id > 1", "id IS NULL"]


# ---------------------------------------------------------------------------------------- the command

def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("work", type=pathlib.Path)
    options.add_argument("--jars", required=True, type=pathlib.Path)
    options.add_argument("--only", choices=sorted(TABLES), nargs="+", default=list(TABLES))
    given = options.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    spark = spark_session.start(given.jars, given.work.resolve())
    for name in given.only:
        make, folder = TABLES[name], given.work.resolve() / name
        shutil.rmtree(folder, ignore_errors=True)
        made = Table(spark, folder)
        wanted = {"about": " ".join(make.__doc__.split()), "writer": f"Spark {spark.version}, Delta 4.4.0",
                  "timezones": ZONES[name], "predicates": make(made), "first_commit": made.first_commit}
        print(f"{name}: written", flush=True)
        (given.work / f"{name}.wanted.json").write_text(json.dumps(wanted, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
