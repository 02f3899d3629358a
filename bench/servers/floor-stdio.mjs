// The least a correct stdio server can do by hand: split lines, parse, switch, stringify, one write per chunk read.
import { answer } from './floor.mjs'

let pieces = []
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const end = chunk.lastIndexOf('\n')
  if (end === -1) {
    pieces.push(chunk)
    return
  }
  pieces.push(chunk.slice(0, end))
  const lines = pieces.join('').split('\n')
  pieces = end + 1 === chunk.length ? [] : [chunk.slice(end + 1)]
  let output = ''
  for (const line of lines) {
    const reply = answer(line)
    if (reply !== undefined) output += reply + '\n'
  }
  if (output !== '') process.stdout.write(output)
})
