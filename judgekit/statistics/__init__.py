"""Statistics: gaps, tests, intervals, decision rules, correction for judge error, planning.

What is computed where (nothing is imported here, so that a command loads only what it uses):

==================  ===================================================================================
``cells``           rows come down to template x name cells
``template_gaps``   gap of each template, direction, leave-one-out
``two_way``         the default for gaps between groups: templates and names are both samples
``variance``        the two-way variance; ``mixed_model`` is its cross-check
``sign_flip``       exact test over templates and its interval
``bootstrap``       percentile, basic, BCa, bootstrap-t; the seed-compatible mode (``pairs``)
``paired_tests``    paired t, Wilcoxon, McNemar with its clustered alternative
``preference``      pairwise judgments: group preference, position bias
``multiplicity``    many metrics: Bonferroni, Holm, Hochberg, BH, BY
``equivalence``     a gap against a margin: pass, warn, fail, cannot tell
``disparity``       fixed thresholds on rates, in exact fractions
``trend``           the same sign every release; noise floor of control pairs
``correction``      PPI++ gaps from a sample of human labels; ``anchors`` from a frozen set; ``ppi`` for one mean
``rogan_gladen``    rates of a class corrected for sensitivity and specificity
``divergence``      KL, JSD, mutual information, phi, flip rate; ``answer_change`` tests them
``regression``      direction of change, with clustered errors
``token_change``    how much an edit changed, matching, sweep
``yes_no``, ``bbq`` decisions from token probabilities, BBQ scores
``words``           words that differ, as a lead
``proportion``      intervals of a share
``power``           what a design can detect; ``validity`` simulates it; ``divergence_power`` for output change
``draws``           random signs and resamples; ``distributions`` quantiles and tails; ``results`` the common form
==================  ===================================================================================
"""
