"""Can a judged text set its own score? A suite of hostile replies, each beside its control."""
