"""report.html: one page that shows a run, or several, offline; drawn from records, claims and provenance alone."""

from gdmbench.exhibits.report.page import write_report
from gdmbench.exhibits.report.sources import Source, read_source, read_sources

__all__ = ["Source", "read_source", "read_sources", "write_report"]
