/**
 * Errors that came of a question to the client, and what a model may read of them. They are neither the answer to the
 * call they were asked in nor a fault of the server.
 */
export const refusedQuestions = new WeakMap<object, string>()
