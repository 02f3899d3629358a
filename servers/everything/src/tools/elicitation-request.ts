import type { ElicitResult } from '@parley/mcp'
import { defineTool, type RequestContext } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { formFor, type FormContent } from './elicitation-form.ts'
import { reportRejection } from './tell-refusal.ts'

/** What was filled in, line by line, of the fields that have a label. */
export function describeInputs(labels: Readonly<Record<string, string>>, content: object): string {
  const values = new Map<string, unknown>(Object.entries(content))
  const lines = Object.entries(labels)
    .filter(([field]) => values.has(field))
    .map(([field, label]) => `- ${label}: ${String(values.get(field))}`)
  return `User inputs:\n${lines.join('\n')}`
}

/** Asks the user, with every kind of field a form can have. */
export const elicitationRequest = defineTool(
  'trigger-elicitation-request',
  {
    title: 'Trigger Elicitation Request Tool',
    description: 'Asks the user to fill in a form with a field of every kind.',
    inputSchema: z.object({}),
    annotations: toolHints('adds'),
    task: 'never',
    visible: canElicit,
  },
  async (_, { elicit, revision }) => {
    const result = await elicit({
      message: 'Please provide inputs for the following fields:',
      requestedSchema: formFor(revision),
    }).catch(reportRejection)
    return [...describe(result), `\nRaw result: ${JSON.stringify(result, null, 2)}`]
  },
)

const labels = {
  name: 'Name',
  check: 'Agreed to terms',
  email: 'Email',
  homepage: 'Homepage',
  birthdate: 'Birthdate',
  integer: 'Favorite Integer',
  number: 'Favorite Number',
}

/** Elicitation came with 2025-06-18: a client that speaks less cannot be asked, whatever it declares. */
function canElicit({ client, revision }: RequestContext): boolean {
  return client.capabilities.elicitation !== undefined && revision >= '2025-06-18'
}

function describe(result: ElicitResult<FormContent>): readonly string[] {
  switch (result.action) {
    case 'accept':
      return ['✅ User provided the requested information!', describeInputs(labels, result.content)]
    case 'decline':
      return ['❌ User declined to provide the requested information.']
    case 'cancel':
      return ['⚠️ User cancelled the elicitation dialog.']
  }
}
