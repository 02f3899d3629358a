/**
 * The events of a turn, in the order in which they happen, as programs and pages read them. Types only: `run-turn.ts` and
 * `run-calls.ts` emit them, `transcript/conversation.ts` hands them out.
 */

import type { ProgramFailure } from '@parley/code'
import type { ContentBlock, JsonObject } from '@parley/mcp'

import type { ServerState } from '../connections/server-status.ts'
import type { ReplyPart } from '../models/model.ts'

/** The events of a turn, in order. The last one is `end`. */
export type TurnEvent =
  | {
      /** The state of a server has changed. */
      readonly type: 'server'
      /** The name of the server. */
      readonly server: string
      /** Its new state. */
      readonly state: ServerState
      /** Why it cannot be used, if it cannot. */
      readonly error?: string | undefined
    }
  | ReplyPart
  /** The model asks for a call; nothing has been sent. */
  | {
      readonly type: 'call'
      /** Names the call in this turn. */
      readonly id: string
      /** The server that is to be called. */
      readonly server: string
      /** The name of the tool at that server. */
      readonly tool: string
      /** The arguments, as the model gave them. */
      readonly arguments: JsonObject
      /** The program that makes the call, if one does. */
      readonly program?: string | undefined
    }
  | {
      /** Whether a call is made was decided. */
      readonly type: 'decision'
      /** The id of the call. */
      readonly id: string
      /** The decision. */
      readonly decision: 'allow' | 'deny'
      /** In words. */
      readonly rule: string
      /** The arguments that are sent, if the user changed them. */
      readonly arguments?: JsonObject | undefined
      /** Nobody was there to decide: the rule that would allow the call. */
      readonly ruleThatAllows?: JsonObject | undefined
      /** The program that makes the call, if one does. */
      readonly program?: string | undefined
    }
  | {
      /** A server says how far a call is. */
      readonly type: 'progress'
      /** The id of the call. */
      readonly id: string
      /** The server that is called. */
      readonly server: string
      /** The name of the tool at that server. */
      readonly tool: string
      /** How far it is. */
      readonly progress: number
      /** The value of `progress` at the end, if it is known. */
      readonly total?: number | undefined
      /** A message about the current step, for people. */
      readonly message?: string | undefined
      /** The program that makes the call, if one does. */
      readonly program?: string | undefined
    }
  | {
      /** A call has ended. */
      readonly type: 'result'
      /** The id of the call. */
      readonly id: string
      /** Absent if no server has such a tool. */
      readonly server?: string | undefined
      /** The name of the tool. */
      readonly tool: string
      /** Whether it failed, was refused, or does not exist. */
      readonly isError: boolean
      /** The content that the server sent, complete. */
      readonly content: readonly ContentBlock[]
      /** The result as data, if the tool has an output schema. */
      readonly structuredContent?: unknown
      /** The handle by which the model reads the rest, if it was too large. */
      readonly handle?: string | undefined
      /** Whether the server was called at all. */
      readonly wasCalled: boolean
      /** The program that makes the call, if one does. */
      readonly program?: string | undefined
    }
  /** The model runs a program, which may make calls. */
  | {
      readonly type: 'program'
      /** The id of the program. Events of its calls have it as `program`. */
      readonly id: string
      /** The id of the model's call that runs it. */
      readonly call: string
      /** Its text. */
      readonly source: string
    }
  | {
      /** A program wrote a line to its console. */
      readonly type: 'log'
      /** The id of the program. */
      readonly program: string
      /** The line. */
      readonly text: string
    }
  | {
      /** A program has ended. */
      readonly type: 'program-end'
      /** The id of the program. */
      readonly id: string
      /** The id of the model's call that ran it. */
      readonly call: string
      /** `returned`, or why it did not. */
      readonly outcome: ProgramEndReason
      /** The text for the model: the returned value, or what went wrong. */
      readonly text: string
      /** The number of calls that it made. */
      readonly calls: number
      /** CPU time of the program itself. */
      readonly cpuMs: number
      /** The handle by which the model reads more of the value, if it was too large. */
      readonly handle?: string | undefined
    }
  | {
      /** Something a person should know. */
      readonly type: 'notice'
      /** The kind of notice. */
      readonly code: NoticeCode
      /** The same, for people. */
      readonly message: string
      /** The server it is about. */
      readonly server?: string | undefined
      /** The tool it is about. */
      readonly tool?: string | undefined
      /** The URI of the resource that it is about. */
      readonly uri?: string | undefined
    }
  | TurnEnd

/** Why a program ended. */
export type ProgramEndReason = 'returned' | ProgramFailure

/** Things worth knowing that are neither calls nor text. */
export type NoticeCode =
  /** A tool is described differently than before. */
  | 'definition-changed'
  | 'hidden-characters'
  /** A description or the instructions of a server give the model orders. */
  | 'orders'
  /** A name that looks like another one. */
  | 'look-alike'
  /** Other warnings about a call. */
  | 'warning'
  | 'limit'
  | 'model-retry'
  /** The conversation is too long for the model: what it no longer reads. */
  | 'context-trimmed'
  /** The answer was cut or withheld by the model's provider. */
  | 'model-stopped'
  | 'unknown-tool'
  | 'malformed-arguments'
  | 'tools-changed'
  /** A list of a server could not be read, and the like. */
  | 'server'
  /** A server has not answered in time; the turn goes on without it. */
  | 'server-late'
  /** A server asked a question, and no user could be asked. */
  | 'unanswered'
  /** A server asked the model something. */
  | 'sampling'
  /** A resource went to the model. */
  | 'attached'
  /** A resource that went to the model has changed. Reported outside of turns. */
  | 'resource-changed'

/** How a turn ended. */
export interface TurnEnd {
  /** Says that the turn is over. */
  readonly type: 'end'
  /** Why it ended. */
  readonly reason: EndReason
  /** All text of the model's last answer. */
  readonly text: string
  /** Why, in words, unless it was answered. */
  readonly message?: string | undefined
  /** With `tool-error`: the servers of the last calls that cannot be reached. */
  readonly unreachable?: readonly string[] | undefined
  /** Rules that would have allowed the calls that no user could be asked about. */
  readonly rulesThatAllow?: readonly JsonObject[] | undefined
  /** Rules that ask about those calls, in words. Ask wins over allow: they have to change too. */
  readonly rulesThatAsk?: readonly string[] | undefined
}

/** Why a turn ended. */
export type EndReason =
  | 'answered'
  /** The model answered, or a limit was reached, after a question that no user could be asked. */
  | 'unanswered'
  | 'limit'
  /** The model said nothing after a call that failed. */
  | 'tool-error'
  | 'model-error'
  | 'cancelled'
