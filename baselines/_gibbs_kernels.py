"""Compiled parts of collapsed Gibbs sampling: a sweep over all tokens, the joint likelihood, labels under given topics.

Tokens of one word in one document stand side by side, so a *pair* (document, word) is visited once a sweep and its
tokens in turn. Rows of counts are padded with zeros to whole blocks of four topics, which lets four of them be worked
on at once.
"""

import math

import numpy as np

from gdmbench.geometry.splitmix import GOLDEN, uniform
from gdmbench.kernels import kernel

BLOCK = 4


@kernel(forceinline=True)  # with calls a sweep takes up to 1.5 times as long
def _weigh(rates, of_word, eta, weights, below):  # type: ignore[no-untyped-def]
    """Set the weight of every topic and `below`, the sums of the weights of all blocks before each; return the sum."""
    total = 0.0
    for b in range(len(below) - 1):
        k = BLOCK * b
        w0 = rates[k] * (of_word[k] + eta)
        w1 = rates[k + 1] * (of_word[k + 1] + eta)
        w2 = rates[k + 2] * (of_word[k + 2] + eta)
        w3 = rates[k + 3] * (of_word[k + 3] + eta)
        weights[k] = w0
        weights[k + 1] = w1
        weights[k + 2] = w2
        weights[k + 3] = w3
        total += (w0 + w1) + (w2 + w3)
        below[b + 1] = total
    return total


@kernel
def sweep(  # type: ignore[no-untyped-def]
    indptr, words, counts, labels, doc_topic, word_topic, topic_total, n_topics, alpha, eta, random, cancelled
):
    """Draw a new label for every token, given all others: one sweep of the collapsed sampler. Return the moves.

    Exact, with three savings. Tokens of a pair share the weights of the topics, of which a move changes two. A token's
    own topic comes first among the topics to draw from, so that a token that stays, as most do, costs one comparison.
    The weight of a topic is its `rates`, (n_mk + alpha) / (n_k + V eta), times n_wk + eta; each topic's rates with one
    token fewer and one more are kept too, so that no division stands between a move and the next draw.

    `cancelled` is None, or, with very small parameters, a share: where less of the sum of the weights is left without
    the token, they are summed anew.
    """
    n_padded = len(topic_total)
    n_blocks = n_padded // BLOCK
    v_eta = len(word_topic) * eta
    weights = np.zeros(n_padded)
    below = np.zeros(n_blocks + 1)
    fewer, rates, more = np.zeros(n_padded), np.zeros(n_padded), np.zeros(n_padded)
    counter = random[0]
    n_moves = 0
    token = np.uint64(0)  # unsigned, as are pairs and words: a signed index is asked whether it counts from the end
    for m in range(len(indptr) - 1):
        of_doc = doc_topic[m]
        for k in range(n_topics):
            fewer[k] = (of_doc[k] - 1.0 + alpha) / (topic_total[k] - 1.0 + v_eta)
            rates[k] = (of_doc[k] + alpha) / (topic_total[k] + v_eta)
            more[k] = (of_doc[k] + 1.0 + alpha) / (topic_total[k] + 1.0 + v_eta)
        for pair in range(np.uint64(indptr[m]), np.uint64(indptr[m + 1])):
            of_word = word_topic[np.uint32(words[pair])]
            stop = token + np.uint64(counts[pair])
            total = _weigh(rates, of_word, eta, weights, below)
            while token < stop:
                old = np.int64(labels[token])
                with_token = weights[old]
                without = fewer[old] * (of_word[old] - 1 + eta)
                mass = total - with_token + without
                if cancelled is not None:  # noqa: SIM102 (only this form is compiled out for None)
                    if mass < cancelled * total:
                        weights[old] = 0.0
                        with_token = 0.0
                        total = _sum_blocks(weights, below)
                        mass = total + without
                counter += GOLDEN
                point = uniform(counter) * mass
                if point >= without:
                    point -= without
                    weights[old] = 0.0
                    home = (old >> 2) + 1
                    if point >= below[home] - with_token:  # beyond the gap that the token's own topic has left
                        point += with_token
                    block, start = 0, 0.0
                    for b in range(1, n_blocks):
                        beyond = point >= below[b]
                        block += beyond
                        start = below[b] if beyond else start
                    point -= start
                    k = BLOCK * block
                    upto0 = weights[k]
                    upto1 = upto0 + weights[k + 1]
                    upto2 = upto1 + weights[k + 2]
                    new = k + (point >= upto0) + (point >= upto1) + (point >= upto2)
                    if new == old or new >= n_topics:  # only by rounding, as both weigh nothing
                        weights[old] = with_token
                    else:
                        n_moves += 1
                        labels[token] = new
                        in_doc_old, in_doc_new = of_doc[old] - 1.0, of_doc[new] + 1.0
                        total_old, total_new = topic_total[old] - 1.0, topic_total[new] + 1.0
                        in_word_new, rate_new = of_word[new] + 1, more[new]
                        of_doc[old], of_doc[new] = in_doc_old, in_doc_new
                        of_word[old] -= 1
                        of_word[new] = in_word_new
                        topic_total[old], topic_total[new] = total_old, total_new
                        more[old], rates[old] = rates[old], fewer[old]
                        fewer[new], rates[new] = rates[new], rate_new
                        fewer[old] = (in_doc_old - 1.0 + alpha) / (total_old - 1.0 + v_eta)
                        more[new] = (in_doc_new + 1.0 + alpha) / (total_new + 1.0 + v_eta)
                        if token + np.uint64(1) < stop:
                            weight_new = rate_new * (in_word_new + eta)
                            loss, gain = without - with_token, weight_new - weights[new]
                            weights[old], weights[new] = without, weight_new
                            total += loss + gain
                            for b in range(1, n_blocks + 1):
                                below[b] += (loss if b >= home else 0.0) + (gain if b > block else 0.0)
                token += np.uint64(1)
                if cancelled is not None:
                    total = _weigh(rates, of_word, eta, weights, below)
    random[0] = counter
    return n_moves


@kernel
def _sum_blocks(weights, below):  # type: ignore[no-untyped-def]
    """Sum the weights anew."""
    total = 0.0
    for block in range(len(below) - 1):
        k = BLOCK * block
        total += (weights[k] + weights[k + 1]) + (weights[k + 2] + weights[k + 3])
        below[block + 1] = total
    return total


@kernel
def count_labels(indptr, words, counts, labels, doc_topic, word_topic, topic_total):  # type: ignore[no-untyped-def]
    """Add every token's label to the counts by document, by word and in total."""
    token = 0
    for m in range(len(indptr) - 1):
        for pair in range(indptr[m], indptr[m + 1]):
            for _ in range(counts[pair]):
                k = labels[token]
                doc_topic[m, k] += 1.0
                word_topic[words[pair], k] += 1
                topic_total[k] += 1.0
                token += 1


@kernel
def log_rising(parameter, n_most):  # type: ignore[no-untyped-def]
    """Return log Γ(n + parameter) - log Γ(parameter) for n = 0..n_most."""
    table = np.zeros(n_most + 1)
    for n in range(n_most):
        table[n + 1] = table[n] + math.log(n + parameter)
    return table


@kernel
def joint_log_likelihood(  # type: ignore[no-untyped-def]
    doc_topic, word_topic, topic_total, lengths, n_topics, alpha, eta, rising_alpha, rising_eta
):
    """Return log p(words, labels | alpha, eta), with tables of `log_rising` for both parameters."""
    v_eta = len(word_topic) * eta
    value = 0.0
    for k in range(n_topics):
        value += math.lgamma(v_eta) - math.lgamma(topic_total[k] + v_eta)
    for w in range(len(word_topic)):
        for k in range(n_topics):
            value += rising_eta[word_topic[w, k]]
    for m in range(len(doc_topic)):
        value += math.lgamma(n_topics * alpha) - math.lgamma(lengths[m] + n_topics * alpha)
        for k in range(n_topics):
            value += rising_alpha[np.int64(doc_topic[m, k])]
    return value


@kernel
def add_topics(sums, word_topic, topic_total, eta):  # type: ignore[no-untyped-def]
    """Add the posterior means of the topics given the labels to `sums`, of shape (n_words, n_topics)."""
    v_eta = len(word_topic) * eta
    for w in range(len(sums)):
        for k in range(sums.shape[1]):
            sums[w, k] += (word_topic[w, k] + eta) / (topic_total[k] + v_eta)


@kernel
def label_documents(  # type: ignore[no-untyped-def]
    indptr, words, counts, topics_of_word, alpha, n_sweeps, n_burn_in, seed, labels, proportions
):
    """Sample labels with the topics fixed; leave the last ones in `labels`, the mean proportions in `proportions`.

    The first sweep draws each token given those before it. Every document has the same random numbers, so that its
    result depends on nothing but itself.
    """
    n_topics = topics_of_word.shape[1]
    of_doc = np.zeros(n_topics)
    weights = np.zeros(n_topics)
    first = 0
    for m in range(len(indptr) - 1):
        counter = seed
        of_doc[:] = 0.0
        for s in range(n_sweeps):
            token = first
            for pair in range(indptr[m], indptr[m + 1]):
                topics = topics_of_word[words[pair]]
                for _ in range(counts[pair]):
                    if s > 0:
                        of_doc[labels[token]] -= 1.0
                    mass = 0.0
                    for k in range(n_topics):
                        mass += (of_doc[k] + alpha) * topics[k]
                        weights[k] = mass
                    counter += GOLDEN
                    point = uniform(counter) * mass
                    new = 0
                    for k in range(n_topics - 1):
                        new += point >= weights[k]
                    labels[token] = new
                    of_doc[new] += 1.0
                    token += 1
            if s >= n_burn_in:
                proportions[m] += of_doc + alpha
        first = token if n_sweeps > 0 else first
        proportions[m] /= proportions[m].sum()
