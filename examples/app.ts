/** An app: a tool whose results a host shows on a page, and what a host needs to find it. */

import {
  appLinkOf,
  appScript,
  appTool,
  defineApp,
  isToolFor,
  readApp,
  serverApps,
  type AppPage,
} from '@parley/mcp/apps'
import type { Client } from '@parley/mcp/client'
import { createServer, defineTool, type Server } from '@parley/mcp/server'
import { z } from 'zod'

const mixed = z.object({ red: z.int(), green: z.int(), blue: z.int() })

const mixColour = defineTool(
  'mix-colour',
  {
    description: 'Mixes a colour, and shows it',
    inputSchema: mixed,
    outputSchema: mixed,
  },
  (colour) => colour,
)

/** One document, scripts and styles in it. What is not declared in `csp` it cannot reach. */
const page = `<!doctype html>
<title>Colour</title>
<style>output { display: block; height: 6rem; border-radius: 0.5rem }</style>
<output></output>
<button type="button">Lighter</button>
<script>${appScript}</script>
<script>
  let colour
  const show = ({ structuredContent }) => {
    colour = structuredContent
    const { red, green, blue } = colour
    document.querySelector('output').style.background = 'rgb(' + [red, green, blue] + ')'
  }
  connectApp({ name: 'colour', version: '1.0.0', onToolResult: show }).then((app) => {
    document.querySelector('button').addEventListener('click', async () => {
      const lighter = Object.entries(colour).map(([name, part]) => [name, Math.min(255, part + 20)])
      show(await app.callTool('mix-colour', Object.fromEntries(lighter)))
    })
  })
</script>`

/** A server with one app. */
export function createColourServer(): Server {
  const app = defineApp({
    uri: 'ui://colours/mixer',
    title: 'Colour mixer',
    html: page,
    tools: [
      appTool(mixColour, { text: ({ red, green, blue }) => `rgb(${red}, ${green}, ${blue})` }),
    ],
  })
  return createServer({ name: 'colours', version: '1.0.0', extensions: [serverApps(app)] })
}

/** What a host does: which tools are for the model, and which page belongs to each. */
export async function findApps(client: Client): Promise<{
  readonly forModel: readonly string[]
  readonly pages: ReadonlyMap<string, AppPage>
}> {
  const tools = await client.listTools().toArray()
  const pages = new Map<string, AppPage>()
  for (const tool of tools) {
    const uri = appLinkOf(tool)?.resourceUri
    if (uri !== undefined) pages.set(tool.name, await readApp(client, uri))
  }
  const forModel = tools.filter((tool) => isToolFor('model', tool)).map(({ name }) => name)
  return { forModel, pages }
}
