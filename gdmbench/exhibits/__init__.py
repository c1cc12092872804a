"""Tables, figures and claims drawn from records alone."""

from gdmbench.exhibits.tables import means_text, records_table, summarise
from gdmbench.exhibits.write import write_exhibits

__all__ = ["means_text", "records_table", "summarise", "write_exhibits"]
