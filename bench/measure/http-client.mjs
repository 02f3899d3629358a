import { bodiless, initializedNotification, post } from './http-request.mjs'
import { headerOf, messageIn } from './http-response.mjs'
import { initializeRequest } from './initialize-request.mjs'

/** What the load generator does on one connection, with these headers. Everything rejects on a wrong answer. */
export function createHttpClient(connection, port, headers) {
  let sessionId

  async function exchange(text, isExpected) {
    const response = await connection.request(text)
    if (!isExpected(response)) throw wrongAnswer(response)
    return response
  }

  /** Opens a session, which the requests after it belong to, and gives its id. */
  async function open() {
    sessionId = undefined
    const { head } = await exchange(
      post(port, initializeRequest(1), { headers }),
      (response) => response.status === 200 && messageIn(response).result !== undefined,
    )
    sessionId = headerOf(head, 'mcp-session-id')
    if (sessionId === undefined) throw new Error('no session id')
    const initialized = post(port, initializedNotification, { sessionId, headers })
    await exchange(initialized, ({ status }) => status === 202)
    return sessionId
  }

  /** Sends one request and, where there is more of the answer, the next; calls back with nothing or what went wrong. */
  function send(workload, id, onDone, seen) {
    const { revision, headers: own, path, read = answerIn } = workload
    const text = post(port, workload.request(id, seen?.nextCursor), {
      sessionId,
      revision,
      path,
      headers: own === undefined ? headers : { ...headers, ...own },
    })
    connection.send(
      text,
      (response) => {
        const answer = response.status === 200 ? read(response, id) : undefined
        if (answer === undefined) return onDone(wrongAnswer(response))
        const sum = workload.add?.(seen, answer) ?? answer
        if (sum.nextCursor !== undefined) return send(workload, id, onDone, sum)
        return onDone(workload.check(sum, response) ? undefined : wrongAnswer(response))
      },
      onDone,
    )
  }

  return {
    open,
    end: () =>
      exchange(
        bodiless('DELETE', port, sessionId, headers),
        ({ status }) => status === 200 || status === 204,
      ),
    send,
  }
}

/** The result in a response to the request with this id. */
function answerIn(response, id) {
  const message = messageIn(response)
  return message.id === id ? message.result : undefined
}

function wrongAnswer({ head, body }) {
  return new Error(`wrong answer: ${head.split('\r\n', 1)[0]} ${body.slice(0, 300)}`)
}
