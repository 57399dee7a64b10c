// A file that cannot be shown: the message is for the visitor.

export class SceneError extends Error {}
