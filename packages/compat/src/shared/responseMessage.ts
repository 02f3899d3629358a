import type { McpError, Result, Task } from '../types.ts'

export interface BaseResponseMessage {
  type: string
}
export interface TaskStatusMessage extends BaseResponseMessage {
  type: 'taskStatus'
  task: Task
}
/** The first message of a request that runs as a task. */
export interface TaskCreatedMessage extends BaseResponseMessage {
  type: 'taskCreated'
  task: Task
}
/** The last message of a request that went well. */
export interface ResultMessage<T extends Result> extends BaseResponseMessage {
  type: 'result'
  result: T
}
/** The last message of a request that failed. */
export interface ErrorMessage extends BaseResponseMessage {
  type: 'error'
  error: McpError
}
export type ResponseMessage<T extends Result> =
  | TaskStatusMessage
  | TaskCreatedMessage
  | ResultMessage<T>
  | ErrorMessage
export type AsyncGeneratorValue<T> = T extends AsyncGenerator<infer U> ? U : never

/** Collects everything a generator yields. */
export async function toArrayAsync<T extends AsyncGenerator>(
  it: T,
): Promise<AsyncGeneratorValue<T>[]> {
  const all: AsyncGeneratorValue<T>[] = []
  for await (const item of it) all.push(item as AsyncGeneratorValue<T>)
  return all
}

/** Waits for the result, and throws the error. */
export async function takeResult<T extends Result, U extends AsyncGenerator<ResponseMessage<T>>>(
  it: U,
): Promise<T> {
  for await (const message of it) {
    if (message.type === 'result') return message.result
    if (message.type === 'error') throw message.error
  }
  throw new Error('No result in stream.')
}
