/** `node packages/tools/bench/search.mjs [TOOLS]`: what indexing, searching and changing many tools costs. */
import { createToolIndex } from '@parley/tools'

const count = Number(process.argv[2] ?? 5_000)
const things =
  'issue,pull request,branch,calendar event,invoice,customer,file,folder,message,channel'.split(',')
const actions = 'create,delete,get,list,search,update,archive,share,export,restore'.split(',')
const queries = [
  'create issue',
  'how do I delete a calender event',
  'invoice',
  'shar file',
  'customer',
]

/** @param {number} at */
function tool(at) {
  const action = actions[at % actions.length]
  const thing = things[Math.floor(at / actions.length) % things.length] ?? ''
  const server = `server${Math.floor(at / (actions.length * things.length))}`
  const property = (/** @type {string} */ description) => ({ type: 'string', description })
  return {
    name: `${server}__${action}_${thing.replaceAll(' ', '_')}`,
    description: `${action} a ${thing} of ${server}. It needs the right to do so, and answers with what was done number ${at}.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: property(`Which ${thing}`),
        dryRun: property('Only say what would be done'),
        fields: property('Parts to answer with'),
      },
    },
  }
}

/** @param {string} what @param {number} times @param {() => void} work */
function measure(what, times, work) {
  const before = process.cpuUsage()
  for (let at = 0; at < times; at++) work()
  const { user, system } = process.cpuUsage(before)
  console.log(`${what.padEnd(44)} ${((user + system) / times / 1000).toFixed(2).padStart(9)} ms`)
}

let tools = Array.from({ length: count }, (_, at) => tool(at))
const search = createToolIndex({ tools: () => tools })
const heap = process.memoryUsage().heapUsed
measure(`index ${count} tools`, 1, () => void search.size)
console.log(
  `${'heap of the index'.padEnd(44)} ${((process.memoryUsage().heapUsed - heap) / 2 ** 20).toFixed(1).padStart(9)} MiB`,
)
for (const query of queries) measure(`search: ${query}`, 50, () => void search.search(query))
measure('look whether anything has changed', 100, () => void search.size)
measure('the same tools as new objects', 5, () => {
  tools = tools.map((one) => ({ ...one }))
  void search.size
})
measure('ten tools changed', 5, () => {
  tools = tools.map((one, at) =>
    at % (count / 10) === 0 ? { ...one, description: `${Math.random()}` } : one,
  )
  void search.size
})
