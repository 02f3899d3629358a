import { randomUUID } from 'node:crypto'

import { jsonSchema } from '@parley/mcp'

import type { ElicitationSettings } from '../brokers/elicitation.ts'
import type { AskPerson, ConsentAnswer, ConsentQuestion } from '../consent/consent.ts'
import { showHidden } from '../text-safety/hidden-characters.ts'
import type { AgentRun } from './agent.ts'

type Elicit = NonNullable<AgentRun['elicit']>

const once = 'Allow it once'
const always = 'Allow this tool until the work is done'
const never = 'Do not allow it'

/** Arguments longer than this are cut in a question. */
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
  const choices = question.mostRemembered === 'once' ? [once, never] : [once, always, never]
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

function wordsOf({ call, reason, warnings }: ConsentQuestion): string {
  const args = showHidden(JSON.stringify(call.arguments, null, 2))
  const shown = args.length > shownCharacters ? `${args.slice(0, shownCharacters)} …` : args
  const lines = [`May the agent call ${call.tool.name} of ${call.server}?`, shown, reason]
  return [...lines, ...warnings].join('\n')
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
