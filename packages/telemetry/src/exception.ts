import { withoutCredentials } from './secrets.ts'

/** An error as the SDK takes it. */
export interface RecordedException {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** An error as it is recorded: its stack goes on with those of its causes, which the SDK would leave out. */
export function exceptionOf(error: Error): RecordedException {
  const stacks: string[] = []
  for (let at: unknown = error; at !== undefined && stacks.length < maxCauses; at = causeOf(at)) {
    stacks.push(describe(at))
  }
  return {
    name: error.name,
    message: withoutCredentials(error.message, maxMessageLength),
    stack: withoutCredentials(stacks.join('\nCaused by: '), maxStackLength),
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

/** What is thrown need not be an error; of anything else only its kind is told, since it may hold anything. */
function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.stack ?? `${thrown.name}: ${thrown.message}`
  return typeof thrown === 'string' ? thrown : `a thrown ${typeof thrown}`
}

export const maxMessageLength = 1_000
const maxStackLength = 16_384
/** More is a ring. */
const maxCauses = 8
