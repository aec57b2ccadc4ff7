"""Files of other tools read as judgekit's own tables; one module per foreign format, imported only when it is used."""
