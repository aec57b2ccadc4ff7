"""What a build server reads of a gate: cases, JUnit XML, a step summary."""
