import type { AskPerson, ConsentQuestion, HostOptions, TurnEvent } from '@parley/host'

type Notice = Extract<TurnEvent, { type: 'notice' }>

/** What a host does where nobody can be asked: it says what would have been asked, and the answer is no. */
export interface NobodyThere {
  readonly ask: AskPerson
  readonly elicitation: NonNullable<HostOptions['elicitation']>
  /** Questions of servers so far. */
  readonly unanswered: number
}

export function nobodyThere(notify: (notice: Notice) => void): NobodyThere {
  let unanswered = 0
  return {
    get unanswered() {
      return unanswered
    },
    async ask(questions) {
      for (const question of questions) for (const notice of noticesOf(question)) notify(notice)
      throw new Error('there is no terminal to answer it')
    },
    elicitation: {
      async ask({ server, message: requested, ...question }) {
        unanswered += 1
        const where = question.mode === 'url' ? ` (at ${question.url})` : ''
        const message = `it asked: ${requested}${where}. There is no terminal to answer it.`
        notify({ type: 'notice', code: 'unanswered', message, server })
        return { action: 'cancel' }
      },
    },
  }
}

function noticesOf({ call, changes = [], warnings }: ConsentQuestion): readonly Notice[] {
  const whose = { server: call.server, tool: call.tool.name }
  const notices = warnings.map((message): Notice => ({
    type: 'notice',
    code: /hidden|invisible/i.test(message) ? 'hidden-characters' : 'warning',
    message,
    ...whose,
  }))
  const changed = changes.map(({ what }): Notice => ({
    type: 'notice',
    code: 'definition-changed',
    message: `${what === 'tool' ? call.tool.name : call.server} changed since it was allowed`,
    ...whose,
  }))
  return [...changed, ...notices]
}
