"""
Topics of news stories
======================

395 Reuters stories come with the package `lda`, which gdmbench installs. These are the most probable words
of eight topics, and below the topics of each story.
"""

import matplotlib.pyplot as plt

from gdmbench import RefinedGDM, coherence, diversity, load_corpus

corpus = load_corpus("reuters")
model = RefinedGDM(n_topics=8, random_state=0).fit(corpus.counts)

fig, axes = plt.subplots(2, 4, figsize=(10, 5.5), layout="constrained")
for ax, topic in zip(axes.flat, model.components_, strict=True):
    top = topic.argsort()[:-9:-1]
    ax.barh([corpus.vocabulary[word] for word in top], topic[top], color="tab:blue")
    ax.invert_yaxis()
    ax.set_xticks([])
    ax.spines[["top", "right", "bottom"]].set_visible(False)
plt.show()

# %%
# Are they any good? Coherence says how much the top words occur together, from -1 to 1; diversity which share of all
# top words is different.

print("coherence", round(coherence(model.components_, corpus.counts), 3))
print("diversity", round(diversity(model.components_), 3))

# %%
# Topic proportions of every story, sorted by their main topic.

proportions = model.transform(corpus.counts)
order = proportions.argmax(axis=1).argsort(kind="stable")
fig, ax = plt.subplots(figsize=(8, 2.6), layout="constrained")
ax.imshow(proportions[order].T, aspect="auto", cmap="Blues", vmin=0, vmax=1)
ax.set_xlabel("stories")
ax.set_ylabel("topics")
plt.show()
