"""The paper's form of the dynamics and of the whole-body controller, to judge production by.

Bang, Gonzalez, Ahn, Paine and Sentis, "Control and Evaluation of a Humanoid Robot with Rolling
Contact Knees". Here every hinge has a velocity of its own, and couplings are constraints.
"""
