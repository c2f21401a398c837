"""spark_session.py - a small local Spark with Delta, and the few things that need its Java side.

Called by: make_tables_spark.py, make_truth.py.  Must not know: which tables there are.
"""
import os
import pathlib

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["LC_ALL"] = "C.UTF-8"  # Java makes file names from it, and partition values are in file names

from pyspark.errors import PySparkException  # noqa: E402, F401 (the address must be set before; others take it from here)
from pyspark.sql import DataFrame, SparkSession  # noqa: E402

# Everything small and in one partition: the tables have a handful of rows. Unions must keep their inputs apart, since
# each input of an insert becomes a file. Interpreted expressions start faster than generated code.
SETTINGS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.sql.unionOutputPartitioning": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.extraJavaOptions": "-Duser.timezone=UTC -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def start(jars, work):
    """A session whose jars are all files of the folder `jars`; its warehouse lies in `work`."""
    build = SparkSession.builder.master("local[1]").appName("tables")
    for key, value in SETTINGS.items():
        build = build.config(key, value)
    found = sorted(str(jar) for jar in pathlib.Path(jars).glob("*.jar"))
    build = build.config("spark.jars", ",".join(found)).config("spark.sql.warehouse.dir", str(work / "warehouse"))
    spark = build.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def delta_log(spark, table):
    """Delta's own handle on the log of a table, read anew."""
    delta = spark._jvm.org.apache.spark.sql.delta.DeltaLog
    delta.clearCache()
    return delta.forTable(spark._jsparkSession, str(table))


def live_files(spark, table):
    """(version, texts of add.path) of the newest snapshot."""
    snapshot = delta_log(spark, table).update(False, spark._jvm.scala.Option.empty(), spark._jvm.scala.Option.empty())
    files = DataFrame(snapshot.allFiles().toDF(), spark)
    return snapshot.version(), sorted(row.path for row in files.select("path").collect())
