// The error of a file that cannot be shown. Its message is for the visitor.

export class SceneError extends Error {}
