import { ToolError } from '@parley/mcp'

import type { AskPerson, Consent } from '../consent/consent.ts'
import { createHost } from '../create-host.ts'
import type { HostOptions } from '../host.ts'
import type { TurnEnd, TurnEvent } from '../turn/turn-event.ts'
import type { HostAgent, HostAgentRun } from './agent.ts'
import { askForConsent, relayQuestions } from './ask-caller.ts'

/** The options of an agent: those of a host that has no user of its own. */
export interface HostAgentOptions extends Omit<HostOptions, 'consent' | 'elicitation' | 'onEvent'> {
  /**
   * Decides about every call of one piece of work. `ask` shows a question to the person who gave it; it is undefined if
   * nobody can be asked. Usually `(ask) => createConsent({ rules, audit, ask })`.
   */
  readonly consent: (ask: AskPerson | undefined, run: HostAgentRun) => Consent
  /** Questions of its servers are passed on to the person who gave the work. @defaultValue true */
  readonly passQuestions?: boolean | undefined
}

/** An agent that is a host: a model with servers of its own. Each piece of work has its own host, and so its own conversation. */
export function createHostAgent({
  consent,
  passQuestions = true,
  ...options
}: HostAgentOptions): HostAgent {
  return async (run) => {
    const { elicit, signal } = run
    await using host = createHost({
      ...options,
      consent: consent(elicit && askForConsent(elicit), run),
      ...(elicit && passQuestions && { elicitation: { ask: relayQuestions(elicit) } }),
    })
    for await (const event of host.turn(run.prompt, { signal })) {
      if (event.type === 'end') return answerOf(event, signal)
      const message = describe(event)
      if (message !== undefined) await run.report(message)
    }
    throw new ToolError('The agent stopped without an answer.')
  }
}

/** Returns the progress that a caller reads while it waits. */
function describe(event: TurnEvent): string | undefined {
  if (event.type === 'call') return `calls ${event.tool} of ${event.server}`
  if (event.type === 'decision' && event.decision === 'deny') return `not allowed: ${event.rule}`
  if (event.type !== 'progress') return undefined
  return event.message && `${event.tool} of ${event.server}: ${event.message}`
}

function answerOf({ reason, text, message }: TurnEnd, signal: AbortSignal): string {
  if (reason === 'answered') return text
  signal.throwIfAborted()
  const why = `The agent has no answer: ${message ?? reason}`
  throw new ToolError(text === '' ? why : `${why}\n\nSo far it wrote:\n${text}`)
}
