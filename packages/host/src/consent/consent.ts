import type { JsonObject, Tool } from '@parley/mcp'

/** A call that is proposed by the model, an app in a frame, or the user. */
export interface ProposedCall {
  /** Tells it from other calls. */
  readonly id: string
  /** The server, as the configuration names it. */
  readonly server: string
  /** Changes when the server's resolved command or URL does. */
  readonly serverHash: string
  /** The value that was hashed, so that a change can be shown: command, arguments, URL. No secrets. */
  readonly serverDefinition?: JsonObject | undefined
  /** The tool, as its server describes it. */
  readonly tool: Tool
  /** Its arguments. */
  readonly arguments: JsonObject
  /** Labels of what the conversation has read so far, so that rules can follow data. */
  readonly flow: DataFlow
  /** The one who proposes it. */
  readonly by: 'model' | 'app' | 'person' | 'program'
  /** The program that makes it, with `by: 'program'`. */
  readonly program?: CallOfProgram | undefined
}

/** The place in a program that a call comes from. */
export interface CallOfProgram {
  /** The id of the program, as events and the audit have it. */
  readonly id: string
  /** Counts the calls of the program, from 0. */
  readonly index: number
  /** The line of the program that makes the call, from 1. */
  readonly line?: number | undefined
  /** The number of times that the tool was denied in this program. */
  readonly denials: number
  /** The number of calls of the tool that this program has made, if a person is to confirm more of them. */
  readonly confirmAfter?: number | undefined
}

/** Labels of what the conversation has read. */
export interface DataFlow {
  /** Content of a server whose results are not trusted. */
  readonly untrusted: boolean
  /** Content of a server marked as private. */
  readonly private: boolean
}

/** The decision about a proposed call. Nothing is called without a decision that allows it. */
export type ConsentDecision =
  | {
      /** The call is made. */
      readonly decision: 'allow'
      /** In words: the rule of a file, a person's answer, what was remembered. */
      readonly rule: string
      /** Arguments the person changed. */
      readonly arguments?: JsonObject | undefined
    }
  | {
      /** The call is not made. */
      readonly decision: 'deny'
      /** In words: the rule of a file, a person's answer, what was remembered. */
      readonly rule: string
      /** For the model: what was refused, and why. */
      readonly message: string
      /** Nobody was there to answer, with the rule that would allow the call. */
      readonly unanswered?:
        | {
            readonly ruleThatAllows: JsonObject
            /** The rules that ask about it, in words: that one counts once this call is taken out of them. */
            readonly standsAgainst?: readonly string[] | undefined
          }
        | undefined
    }

/** Decides about calls. It writes each decision to the audit before it resolves. */
export interface Consent {
  /** All calls the model wants at once, so that a person can see them together. Resolves with one decision for each, in order. */
  decide(calls: readonly ProposedCall[], signal: AbortSignal): Promise<readonly ConsentDecision[]>
  /** Writes to the audit what became of a call that was allowed. Rejects if it cannot. */
  recordOutcome?(call: ProposedCall, outcome: CallOutcome): Promise<void>
  /** Writes to the audit what a server was given besides results of calls. Rejects if it cannot. */
  recordExchange?(exchange: ServerExchange): Promise<void>
  /** Writes to the audit that a program begins or has ended. Rejects if it cannot: then the program is not run. */
  recordProgram?(program: ProgramRecord): Promise<void>
}

/** A program of the model, as the audit has it. */
export type ProgramRecord =
  | {
      /** It is about to run. */
      readonly type: 'program'
      /** The id of the program. */
      readonly id: string
      /** Its text. */
      readonly source: string
    }
  | {
      /** It has ended. */
      readonly type: 'program-end'
      /** The id of the program. */
      readonly id: string
      /** `returned`, or why it did not. */
      readonly outcome: string
      /** The number of calls that it made. */
      readonly calls: number
      /** CPU time of the program itself. */
      readonly cpuMs: number
    }

/** Something that a server requested or got, apart from calls. */
export interface ServerExchange {
  /** A request to the model, a question to the person, a resource that was attached, or folders. */
  readonly kind: 'sampling' | 'elicitation' | 'resource' | 'roots'
  /** The server, as the configuration names it. */
  readonly server: string
  /** Whether it was allowed. */
  readonly decision: 'allow' | 'deny'
  /** In words, without what was said. */
  readonly message: string
}

/** The outcome of a call that was made. */
export interface CallOutcome {
  /** `error` is a result with `isError`, `failed` a call without a result. */
  readonly outcome: 'result' | 'error' | 'failed' | 'cancelled'
  /** In words, for all but `result`. */
  readonly message?: string | undefined
  /** How long the call took. */
  readonly durationMs?: number | undefined
  /** How large the result was. */
  readonly bytes?: number | undefined
}

/** How a person is asked. The answer to each call in order. */
export type AskPerson = (
  questions: readonly ConsentQuestion[],
  signal: AbortSignal,
) => Promise<readonly ConsentAnswer[]>

/** One call a person has to decide about. */
export interface ConsentQuestion {
  /** The call. */
  readonly call: ProposedCall
  /** Why the user is asked: the rule, or that no rule matches. */
  readonly reason: string
  /** How the tool, its server, or both differ from what ran or was allowed last; missing if they do not. */
  readonly changes?: readonly DefinitionChange[] | undefined
  /** Hidden characters, look-alike names and the like, in words. */
  readonly warnings: readonly string[]
  /** The longest that the answer can be remembered. @defaultValue 'always' */
  readonly maxRemembered?: 'once' | 'session' | 'always' | undefined
}

/** A difference from the version that ran or was allowed last. */
export interface DefinitionChange {
  /** Whether the definition of the tool changed, or the command or URL of its server. */
  readonly what: 'tool' | 'server'
  /** The definition at that time. */
  readonly before: JsonObject
  /** The definition now. */
  readonly after: JsonObject
}

/** The user's answer to a question. */
export interface ConsentAnswer {
  /** Whether the call is made. */
  readonly decision: 'allow' | 'deny'
  /** `program` counts for the rest of the program that asks. @defaultValue 'once' */
  readonly remember?: 'once' | 'program' | 'session' | 'always' | undefined
  /** The scope of what is remembered. @defaultValue 'tool' */
  readonly scope?: 'tool' | 'server' | undefined
  /** Other arguments for the call, as the person changed them. @defaultValue those of the call */
  readonly arguments?: JsonObject | undefined
  /** For the model, with a refusal. */
  readonly message?: string | undefined
}
