"""Can a classifier guess the group from the text that a judge sees?"""
