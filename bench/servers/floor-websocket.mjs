// The least a correct WebSocket server can do by hand, on the package that everyone uses for frames.
import { WebSocketServer } from 'ws'

import { announce } from './announce.mjs'
import { answer } from './floor.mjs'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/mcp' }, () =>
  announce(server.address().port),
)
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const reply = answer(data.toString())
    if (reply !== undefined) socket.send(reply)
  })
})
