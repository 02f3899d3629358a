import MiniSearch from 'minisearch'
import { beforeAll, expect, test } from 'vitest'

import { readContent } from '../../site/content.mjs'
import { isSearched, pageSections, searchSettings } from '../../site/search.mjs'

let index: MiniSearch

beforeAll(() => {
  index = new MiniSearch({
    ...searchSettings.options,
    searchOptions: searchSettings.searchOptions,
  })
  for (const [place, markdown] of readContent()) {
    if (!isSearched(place)) continue
    for (const [at, section] of pageSections(place, markdown).entries()) {
      index.add({ ...section, id: `${section.id}@${at}` }) // two headings of a page may be the same
    }
  }
})

function firstResult(question: string): string {
  return String(index.search(question)[0]?.id).replace(/@\d+$/, '')
}

/** What people ask most, in the words they type, and the sections that answer it. */
const questions: readonly (readonly [question: string, answers: RegExp])[] = [
  ['auth headers in a handler', /^\/debugging#.*headers/],
  ['read the authorization header in a tool', /^\/debugging#.*headers/],
  ['per-call context', /^\/context#/],
  ['pass the database to every tool', /^\/debugging#.*database/],
  ['timeouts with progress', /^\/(?:debugging#timeouts|deadlines|progress)/],
  ['tool call times out even though it sends progress', /^\/debugging#timeouts/],
  ['replicas', /^\/(?:debugging#.*replicas|deploy#.*replicas)/],
  ['run several instances behind a load balancer', /^\/(?:debugging#.*replicas|cluster#)/],
  ['one server, many clients', /^\/debugging#.*many-clients/],
  ['can several clients connect to one server', /^\/debugging#.*many-clients/],
  ['server restarted', /^\/debugging#.*restarted/],
  ['what happens to clients when the server restarts', /^\/debugging#.*restarted/],
  ['unit tests', /^\/(?:debugging#.*unit-tests|testing#)/],
  ['how do I test my server', /^\/(?:get-started#test|testing#|debugging#.*unit-tests)/],
  ['OAuth without dynamic registration', /^\/debugging#.*dynamic-client-registration/],
  ['server has no dynamic client registration', /^\/debugging#.*dynamic-client-registration/],
  ['Lambda', /^\/(?:debugging#.*lambda|deploy#aws-lambda)/],
  ['deploy to AWS Lambda', /^\/(?:debugging#.*lambda|deploy#aws-lambda)/],
  ['CommonJS and Jest', /^\/testing#/],
  ['use require instead of import', /^\/testing#/],
  ['string numbers', /^\/(?:debugging#string-numbers|tools#numbers-as-text)/],
  ['model sends numbers as strings', /^\/(?:debugging#string-numbers|tools#numbers-as-text)/],
  ['compile times', /^\/debugging#compile-times/],
  ['TypeScript type checking is slow', /^\/debugging#compile-times/],
  ['Windows spawn', /^\/(?:debugging#.*windows|errors#.*windows)/],
  ['spawn npx ENOENT on Windows', /^\/(?:debugging#.*windows|errors#.*windows)/],
  ['API reference', /^\/reference\//],
  ['where is the API reference', /^\/(?:reference\/|debugging#.*api-reference)/],
  ['API key', /^\/(?:protecting#api-keys|debugging#.*api-key)/],
  ['protect a server with an API key', /^\/(?:protecting#api-keys|debugging#.*api-key)/],
  ['elicit', /^\/elicitation#ask-the-user$/],
  ['SIGTERM', /^\/deploy#shut-down-on-sigterm$/],
  ['gateway yaml', /^\/gateway(?:-configuration)?#/],
  ['sampling', /^\/elicitation#/],
]

test.each(questions)('the first result for "%s" answers it', (question, answers) => {
  expect(firstResult(question)).toMatch(answers)
})

/** Messages that people paste into the search. */
const messages: readonly (readonly [message: string, answer: RegExp])[] = [
  ['SyntaxError: Cannot use import statement outside a module', /^\/errors#cannot-use/],
  ['EADDRINUSE', /^\/errors#cannot-listen/],
  ['MCP error -32001: Request timed out', /^\/errors#mcp-error--32001/],
  ['Host example.com is not allowed here', /^\/errors#host/],
  ['blocked by CORS policy', /^\/(?:errors#|http#)/],
  ['Unexpected token is not valid JSON', /^\/(?:errors#unexpected|debugging#)/],
]

test.each(messages)('the first result for the message "%s" says what to do', (message, answer) => {
  expect(firstResult(message)).toMatch(answer)
})

test('sections know the headings above them, and code has none', () => {
  const sections = pageSections(
    'cli/call.md',
    '# A `call`\n\nText\n\n## Options\n\n```sh\n# not one\n```\n\n### --json\n\n## Exit\n',
  )

  expect(sections.map(({ id, titles }) => [id, titles])).toEqual([
    ['/cli/call#a-call', []],
    ['/cli/call#options', ['A call']],
    ['/cli/call#--json', ['A call', 'Options']],
    ['/cli/call#exit', ['A call']],
  ])
  expect(sections[1]?.text).toContain('not one')
})
