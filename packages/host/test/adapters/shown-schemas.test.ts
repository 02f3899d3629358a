import { DynamicStructuredTool } from '@langchain/core/tools'
import { toAiTools, toAnthropicTools, toLangChainTools, toOpenAiTools } from '@parley/host/adapters'
import { jsonSchema } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { consentThat } from './workshop.ts'

const escape = '\u001b[31m'
const shownSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'a red name' },
    of: { enum: ['x2Jy', 'z'] },
  },
}

/** The schema of the only tool, as it goes to a model of each package. */
const packages: Record<string, (client: Client) => Promise<unknown>> = {
  async ai(notes) {
    const tools = await toAiTools({ notes }, { consent: consentThat() })
    const schema: object | undefined = tools['notes__find']?.inputSchema
    return schema && 'jsonSchema' in schema ? schema.jsonSchema : undefined
  },
  async 'openai chat'(notes) {
    const { chat } = await toOpenAiTools({ notes }, { consent: consentThat() })
    return chat.tools[0]?.function.parameters
  },
  async 'openai responses'(notes) {
    const { responses } = await toOpenAiTools({ notes }, { consent: consentThat() })
    return responses.tools[0]?.parameters
  },
  async anthropic(notes) {
    const { tools } = await toAnthropicTools({ notes }, { consent: consentThat() })
    return tools[0]?.input_schema
  },
  async langchain(notes) {
    const [tool] = await toLangChainTools(
      { notes },
      { consent: consentThat(), DynamicStructuredTool },
    )
    return tool?.schema
  },
}

test.each(Object.keys(packages))(
  'a schema reaches a model of %s without terminal escapes, control characters or hidden text',
  async (name) => {
    const server = createServer({ name: 'notes', version: '1.0.0' })
    const inputSchema = jsonSchema<object>({
      type: 'object',
      properties: {
        [`na${escape}me`]: { type: 'string', description: `a ${escape}red\u0007 name\u202e` },
        of: { enum: [`x\u009b2Jy`, 'z\u{e0041}'] },
      },
    })
    server.tool('find', { inputSchema }, () => 'found')
    await using client = await connect(server)

    expect(await packages[name]?.(client)).toMatchObject(shownSchema)
  },
)
