/**
 * 16 servers with 500 tools, and tasks that need some of them. Each task has the calls that a model would make which makes no mistake: one
 * after another and side by side with the tools themselves, or in one program.
 */

/** @typedef {{ name: string, description: string, inputSchema: object, outputSchema: object, annotations?: object, handle: (args: any) => any }} Tool */
/** @typedef {{ name: string, tools: Tool[] }} Server */
/** @typedef {{ question: string, answer: string, script: (way: 'all' | 'search' | 'code') => any }} Task */

const serverNames =
  'crm shop billing tickets wiki calendar mail files hr fleet stock forum clinic school hotel press'.split(
    ' ',
  )
const nouns =
  'customer order invoice ticket page meeting message document employee vehicle item thread patient course booking article'.split(
    ' ',
  )
const verbs = ['create', 'update', 'delete', 'archive', 'restore', 'assign', 'tag']

/** The kinds of things that the servers have, four for each. */
export const entities = serverNames.flatMap((server, at) =>
  [0, 1, 2, 3].map((of) => ({ server, noun: nouns[(at + of * 5) % nouns.length] ?? '' })),
)

const pages = 3
const perPage = 8

/** The same thing every time. @param {string} noun @param {number} at */
function thing(noun, at) {
  const state = ['open', 'closed', 'waiting'][(at * 7 + noun.length) % 3]
  return {
    id: `${noun}-${at}`,
    title: `The ${noun} number ${at}`,
    state,
    owner: { name: `Person ${at % 5}`, email: `person${at % 5}@example.com` },
    createdAt: new Date(1_790_000_000_000 + at * 86_400_000).toISOString(),
    amount: (at * 37 + noun.length * 11) % 500,
    notes: `Notes of ${noun} ${at}: ${'a sentence that nobody needs for the task. '.repeat(3)}`,
  }
}

const text = { type: 'string' }
const thingSchema = {
  type: 'object',
  properties: {
    id: text,
    title: text,
    state: { type: 'string', enum: ['open', 'closed', 'waiting'] },
    owner: { type: 'object', properties: { name: text, email: text }, required: ['name', 'email'] },
    createdAt: { type: 'string', format: 'date-time' },
    amount: { type: 'number' },
    notes: text,
  },
  required: ['id', 'title', 'state', 'owner', 'createdAt', 'amount', 'notes'],
}

/** @param {object} properties @param {string[]} [required] */
const input = (properties, required = []) => ({ type: 'object', properties, required })

/** @param {string} noun @returns {Tool[]} */
function toolsOf(noun) {
  const id = { type: 'string', description: `The id of the ${noun}, such as ${noun}-1.` }
  /** @type {Tool[]} */
  const reading = [
    {
      name: `list_${noun}s`,
      description: `Lists ${noun}s, the oldest first, one page at a time.`,
      inputSchema: input({
        cursor: {
          type: 'string',
          description: 'Where the page begins; the nextCursor of the page before.',
        },
        limit: { type: 'integer', minimum: 1, maximum: perPage, default: perPage },
      }),
      outputSchema: {
        type: 'object',
        properties: {
          items: { type: 'array', items: input({ id: text, title: text }, ['id', 'title']) },
          nextCursor: text,
        },
        required: ['items'],
      },
      handle({ cursor = '0' }) {
        const page = Number(cursor)
        const items = Array.from({ length: perPage }, (_, at) => {
          const { id: own, title } = thing(noun, page * perPage + at)
          return { id: own, title }
        })
        return { items, ...(page + 1 < pages && { nextCursor: String(page + 1) }) }
      },
    },
    {
      name: `get_${noun}`,
      description: `Reads one ${noun} with everything that is known about it.`,
      inputSchema: input({ id }, ['id']),
      outputSchema: thingSchema,
      handle: ({ id: own }) => thing(noun, Number(own.split('-').at(-1))),
    },
  ]
  const writing = verbs.slice(0, 6).map((verb) => ({
    name: `${verb}_${noun}`,
    description: `${verb[0]?.toUpperCase()}${verb.slice(1)}s a ${noun} and answers with it as it is then.`,
    inputSchema: input(
      {
        id,
        title: text,
        state: thingSchema.properties.state,
        amount: { type: 'number', minimum: 0 },
      },
      ['id'],
    ),
    outputSchema: thingSchema,
    handle: (/** @type {any} */ { id: own }) => thing(noun, Number(own.split('-').at(-1))),
  }))
  return [...reading, ...writing]
}

/** @type {Server[]} */
export const servers = serverNames.map((name) => ({
  name,
  tools: entities.filter(({ server }) => server === name).flatMap(({ noun }) => toolsOf(noun)),
}))

/** 512 of them; the last are left out. */
let count = 0
for (const server of servers) {
  server.tools = server.tools.filter(() => (count += 1) <= 500)
}

/** @param {{ server: string, noun: string }} entity @returns {Task} */
function taskOf({ server, noun }) {
  const list = `${server}__list_${noun}s`
  const get = `${server}__get_${noun}`
  const ids = Array.from({ length: pages * perPage }, (_, at) => thing(noun, at))
  const open = ids.filter(({ state }) => state === 'open')
  const sum = open.reduce((total, { amount }) => total + amount, 0)
  const answer = `${open.length} open, ${sum} in all`

  const code = `// adds up what is open
const ids = []
let cursor
do {
  const page = await tools.${list}({ cursor })
  ids.push(...page.items.map(({ id }) => id))
  cursor = page.nextCursor
} while (cursor)
const all = await Promise.all(ids.map((id) => tools.${get}({ id })))
const open = all.filter(({ state }) => state === 'open')
return { count: open.length, sum: open.reduce((total, { amount }) => total + amount, 0) }`

  return {
    question: `How many ${noun}s of ${server} are open, and what do their amounts add up to?`,
    answer,
    script(way) {
      const steps = []
      /** @param {string} name @param {object} args */
      const call = (name, args) =>
        way === 'search'
          ? { name: 'call_tool', arguments: { name, arguments: args } }
          : { name, arguments: args }
      if (way === 'code') {
        const phrases = [`list ${noun}s of ${server}`, `read one ${noun} of ${server}`]
        steps.push({ calls: [{ name: 'find_tools', arguments: { phrases } }] })
        steps.push({ calls: [{ name: 'run_code', arguments: { code } }] })
      } else {
        if (way === 'search') {
          steps.push({
            calls: [{ name: 'find_tools', arguments: { query: `list ${noun}s ${server}` } }],
          })
          steps.push({
            calls: [list, get].map((name) => ({ name: 'describe_tool', arguments: { name } })),
          })
        }
        for (let page = 0; page < pages; page += 1) {
          steps.push({ calls: [call(list, page === 0 ? {} : { cursor: String(page) })] })
        }
        steps.push({ calls: ids.map(({ id }) => call(get, { id })) })
      }
      /** The last request has everything: the answer is read from it, as a model would. @param {any} request */
      const conclude = ({ messages }) =>
        concluded(way, JSON.stringify(messages), answer, { open, sum })
      return [...steps, conclude]
    },
  }
}

/** @param {string} way @param {string} seen @param {string} answer @param {{ open: { id: string, amount: number }[], sum: number }} truth */
function concluded(way, seen, answer, { open, sum }) {
  const isThere =
    way === 'code'
      ? seen.includes(`\\"count\\":${open.length},\\"sum\\":${sum}`)
      : open.every(({ id }) => seen.includes(`\\"id\\":\\"${id}\\"`))
  return isThere ? answer : 'it was not there'
}

/** One for each server but the last four. @type {Task[]} */
export const tasks = serverNames.slice(0, 12).map((server) => {
  const entity = entities.find((one) => one.server === server)
  if (entity === undefined) throw new Error(`${server} has nothing`)
  return taskOf(entity)
})
