// The load generator for every HTTP server: raw keep-alive sockets, no SDK and no HTTP library.
import { createHttpClient } from './http-client.mjs'
import { openConnection } from './http-connection.mjs'
import { openListener } from './http-listener.mjs'

/** Clients on so many connections, each with one request in flight, all with these headers. */
export function openHttpLoad(port, connections, headers = {}) {
  const open = Array.from({ length: connections }, () => openConnection(port))
  const clients = open.map((connection) => createHttpClient(connection, port, headers))
  let nextId = 1

  /** Resolves with latencies in microseconds and the seconds it took. */
  async function run(operations, operate) {
    const latencies = new Float64Array(operations)
    const startedAt = performance.now()
    let started = 0
    await Promise.all(
      clients.map(
        (client) =>
          new Promise((resolve, reject) => {
            function next() {
              if (started === operations) {
                resolve()
                return
              }
              const index = started++
              const sentAt = performance.now()
              operate(client, (error) => {
                if (error !== undefined) {
                  reject(error)
                  return
                }
                latencies[index] = (performance.now() - sentAt) * 1_000
                next()
              })
            }
            next()
          }),
      ),
    )
    return { latencies, seconds: (performance.now() - startedAt) / 1_000 }
  }

  return {
    /** A session for each connection. */
    openSessions: () => Promise.all(clients.map((client) => client.open())),
    /** Requests in the sessions of the connections, or without one. */
    call: (workload, operations) =>
      run(operations, (client, onDone) => client.send(workload, nextId++, onDone)),
    /** A session, and a stream that listens to it. */
    listen: async () => openListener(port, await clients[0].open(), headers),
    /** Sessions opened, and ended again unless they are to stay. */
    handshake: (operations, { ends }) =>
      run(operations, (client, onDone) => {
        const opened = client.open()
        const done = ends ? opened.then(client.end) : opened
        done.then(() => onDone(undefined), onDone)
      }),
    close() {
      for (const connection of open) connection.close()
    },
  }
}
