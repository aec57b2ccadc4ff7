"""What every reader of a foreign file shares: streamed JSON and zip, the first look, columns, and an account of all rows."""
