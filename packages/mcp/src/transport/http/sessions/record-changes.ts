import type { Request } from '../../../rpc/message.ts'
import type { LoggingLevel } from '../../../schema/logging.ts'
import type { Answers } from '../../../server/calls/call.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'
import { HttpRefusal } from '../admission/http-errors.ts'
import type { SessionFacts } from './session-records.ts'
import { afterStore } from './store-access.ts'

/** The answer to a request that changes the record of a session: sent when every process can know the change. */
export function answerWhenRecorded(
  request: Request,
  answer: Answers,
  change: (alter: (facts: SessionFacts) => SessionFacts) => unknown,
): Answers {
  const alter = changeOf(request)
  if (alter === undefined) return answer
  return {
    refuse: (id, error) => answer.refuse(id, error),
    forget: (id) => answer.forget(id),
    reply(id, response) {
      void afterStore(
        () => change(alter),
        () => answer.reply(id, response),
        (error) => {
          if (!(error instanceof HttpRefusal)) throw error
          answer.refuse(id, encodeWireError(error.error))
        },
      )
    },
  }
}

/** Undefined for the many that change nothing. */
function changeOf({
  method,
  params,
}: Request): ((facts: SessionFacts) => SessionFacts) | undefined {
  switch (method) {
    case 'logging/setLevel': {
      const logLevel = params['level'] as LoggingLevel // it was answered, so it is one
      return (facts) => ({ ...facts, logLevel })
    }
    case 'resources/subscribe': {
      const uri = params['uri'] as string // as above
      return (facts) =>
        facts.subscriptions.includes(uri)
          ? facts
          : { ...facts, subscriptions: [...facts.subscriptions, uri] }
    }
    case 'resources/unsubscribe': {
      const uri = params['uri'] as string // as above
      return (facts) => ({
        ...facts,
        subscriptions: facts.subscriptions.filter((other) => other !== uri),
      })
    }
    default:
      return undefined
  }
}
