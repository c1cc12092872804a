"""Compiled parts of KL DP-means: what documents cost alone, and a pass that assigns all of them."""

import numpy as np

from gdmbench.kernels import kernel


@kernel
def cost_alone(data, indices, indptr, n_words, lengths, smoothing):  # type: ignore[no-untyped-def]
    """Return each document's sum of w log(w / N), and its cost, smoothing included, in a cluster of its own."""
    n_docs = len(lengths)
    entropies, alone = np.zeros(n_docs), np.zeros(n_docs)
    for m in range(n_docs):
        weight = lengths[m] + smoothing * n_words
        n_missing = n_words - (indptr[m + 1] - indptr[m])
        alone[m] = smoothing * n_missing * np.log(weight / (smoothing * n_words))
        for j in range(indptr[m], indptr[m + 1]):
            log_mean = np.log((data[j] + smoothing) / weight)
            entropies[m] += data[j] * np.log(data[j] / lengths[m])
            alone[m] -= data[j] * log_mean + smoothing * (np.log(n_words) + log_mean)
        alone[m] += entropies[m]
    return entropies, alone


@kernel
def assign(data, indices, indptr, lengths, limits, log_means, n_clusters, smoothing, labels):  # type: ignore[no-untyped-def]
    """Send each document in turn to the cluster with which the objective is lowest; the means of the others stay.

    `log_means` has a row for each word, and columns to spare for new clusters; once these are full none is opened,
    which the next pass makes up for. A document does best in a cluster of its own where all others give it a
    likelihood, the sum of w log mu, below its limit.
    """
    n_words, n_slots = log_means.shape
    likelihoods = np.zeros(n_slots)
    sizes = np.zeros(n_slots, np.int64)
    for label in labels:
        sizes[label] += 1
    for m in range(len(lengths)):
        likelihoods[:n_clusters] = 0.0
        for j in range(indptr[m], indptr[m + 1]):
            of_word = log_means[indices[j]]
            for k in range(n_clusters):
                likelihoods[k] += data[j] * of_word[k]
        best = labels[m]
        is_alone = sizes[best] == 1
        if is_alone:
            likelihoods[best] = limits[m]
        sizes[best] -= 1
        for k in range(n_clusters):
            if sizes[k] > 0 and likelihoods[k] > likelihoods[best]:
                best = k
        if likelihoods[best] < limits[m] and not is_alone and n_clusters < n_slots:
            best = n_clusters
            n_clusters += 1
            weight = lengths[m] + smoothing * n_words
            log_means[:, best] = np.log(smoothing / weight)
            for j in range(indptr[m], indptr[m + 1]):
                log_means[indices[j], best] = np.log((data[j] + smoothing) / weight)
        sizes[best] += 1
        labels[m] = best
