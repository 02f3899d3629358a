import { randomUUID } from 'node:crypto'

import { plainName, showHidden } from '@parley/foundation/text-safety'
import { jsonSchema, type JsonObject } from '@parley/mcp'

import type { ElicitationSettings } from '../brokers/elicitation.ts'
import type { AskPerson, ConsentAnswer, ConsentQuestion } from '../consent/consent.ts'
import type { HostAgentRun } from './agent.ts'

type Elicit = NonNullable<HostAgentRun['elicit']>

const once = 'Allow it once'
const always = 'Allow this tool until the work is done'
const never = 'Do not allow it'

/** Arguments and definitions longer than this are cut in a question. */
const shownCharacters = 2_000

/** Asks about calls with a form at the caller's side, one after the other. */
export function askForConsent(elicit: Elicit): AskPerson {
  return async (questions) => {
    const answers: ConsentAnswer[] = []
    for (const question of questions) answers.push(await ask(elicit, question))
    return answers
  }
}

async function ask(elicit: Elicit, question: ConsentQuestion): Promise<ConsentAnswer> {
  const choices = question.maxRemembered === 'once' ? [once, never] : [once, always, never]
  const requestedSchema = jsonSchema<{ answer: string }>({
    type: 'object',
    properties: { answer: { type: 'string', title: 'Answer', enum: choices } },
    required: ['answer'],
  })
  const answer = await elicit({ message: wordsOf(question), requestedSchema })
  if (answer.action !== 'accept') return { decision: 'deny' }
  if (answer.content.answer === never) return { decision: 'deny' }
  return {
    decision: 'allow',
    remember: answer.content.answer === always ? 'session' : 'once',
  }
}

function wordsOf({ call, reason, changes = [], warnings }: ConsentQuestion): string {
  const name = `${plainName(call.tool.name)} of ${plainName(call.server)}`
  const differences = changes.flatMap(({ what, before, after }) => [
    `The ${what} was: ${shown(before)}`,
    `The ${what} is now: ${shown(after)}`,
  ])
  const lines = [`May the agent call ${name}?`, shown(call.arguments, 2), reason]
  return [...lines, ...differences, ...warnings].join('\n')
}

function shown(value: JsonObject, indent?: number): string {
  const text = showHidden(JSON.stringify(value, null, indent))
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)} …` : text
}

/** Shows questions of the agent's own servers at the caller's side, with the name of who asks. */
export function relayQuestions(elicit: Elicit): ElicitationSettings['ask'] {
  return async (question) => {
    const message = [`${question.server} asks: ${question.message}`, ...question.warnings].join(
      '\n',
    )
    if (question.mode === 'url') {
      const { action } = await elicit({
        mode: 'url',
        message,
        url: question.url,
        elicitationId: randomUUID(),
      })
      return { action }
    }
    const answer = await elicit({ message, requestedSchema: question.schema })
    return answer.action === 'accept'
      ? { action: 'accept', content: answer.content }
      : { action: answer.action }
  }
}
