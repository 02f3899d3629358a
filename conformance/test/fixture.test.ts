import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { supportedRevisions } from '@parley/mcp'
import { connect, type Client } from '@parley/mcp/client'
import { createTestClient } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createFixtureServer } from '../fixture/server.js'
import { startFixtureServer } from '../suite/fixture-process.mjs'

async function surfaceOf(client: Client) {
  return {
    capabilities: client.server.capabilities,
    tools: await client.listTools().toArray(),
    resources: await client.listResources().toArray(),
    templates: await client.listResourceTemplates().toArray(),
    prompts: await client.listPrompts().toArray(),
  }
}

test('the program for stdio offers what the definition has', async () => {
  const program = fileURLToPath(new URL('../stdio.js', import.meta.url))
  await using direct = await connect(createFixtureServer())
  await using client = await connect({ command: process.execPath, args: [program] })

  expect(await surfaceOf(client)).toEqual(await surfaceOf(direct))
})

test('the program for HTTP takes a free port, hands out a session and lists the same tools', async () => {
  const server = await startFixtureServer()
  try {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = (message: object, more = {}) =>
      fetch(server.url, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      })
    const params = {
      protocolVersion: '2025-06-18' as const,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }
    const opened = await post({ id: 1, method: 'initialize', params })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    await opened.text()
    await (await post({ method: 'notifications/initialized' }, session)).text()
    const listed = await post({ id: 2, method: 'tools/list' }, session)
    const { result } = JSON.parse(await listed.text())

    const { protocolVersion: revision } = params
    await using direct = await createTestClient(createFixtureServer(), { revision })
    expect(result.tools).toEqual(await direct.listTools().toArray())
  } finally {
    await server.stop()
  }
})

function playOn(url: string, scenario: string, more: Record<string, string> = {}) {
  const program = fileURLToPath(new URL('../client.js', import.meta.url))
  return promisify(execFile)(process.execPath, [program, url], {
    env: { ...process.env, MCP_CONFORMANCE_SCENARIO: scenario, ...more },
  })
}

test('the client program plays a scenario by its name, and fails for a name it does not know', async () => {
  const server = await startFixtureServer()
  try {
    expect(await playOn(server.url, 'initialize')).toEqual({ stdout: '', stderr: '' })
    await expect(playOn(server.url, 'finalize')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no scenario is named finalize'),
    })
  } finally {
    await server.stop()
  }
})

test('the client program speaks the revision it is told to, and makes the calls it is told to', async () => {
  const server = await startFixtureServer()
  const told = (name: string, revision: string) =>
    playOn(server.url, 'http-custom-headers', {
      MCP_CONFORMANCE_PROTOCOL_VERSION: revision,
      MCP_CONFORMANCE_CONTEXT: JSON.stringify({ toolCalls: [{ name, arguments: {} }] }),
    })
  try {
    // Only where each request stands for itself is a missing capability an error of the protocol.
    await told('test_missing_capability', '2025-11-25')
    await expect(told('test_missing_capability', '2026-07-28')).rejects.toMatchObject({
      stderr: expect.stringContaining('missing_client_capability'),
    })
    await told('test_simple_text', '2026-07-28')
  } finally {
    await server.stop()
  }
})

for (const revision of supportedRevisions) {
  test(`tools, prompts and resources answer at ${revision}`, async () => {
    await using client = await createTestClient(createFixtureServer(), { revision })

    const simple = await client.callTool('test_simple_text')
    const failed = await client.callTool('test_error_handling')
    const prompt = await client.getPrompt('test_prompt_with_arguments', {
      arg1: 'hello',
      arg2: 'world',
    })
    const { contents } = await client.readResource('test://template/123/data')

    expect(simple.content).toEqual([
      { type: 'text', text: 'This is a simple text response for testing.' },
    ])
    expect(failed.isError).toBe(true)
    expect(prompt.messages).toEqual([
      {
        role: 'user',
        content: { type: 'text', text: "Prompt with arguments: arg1='hello', arg2='world'" },
      },
    ])
    expect(contents).toEqual([
      {
        uri: 'test://template/123/data',
        mimeType: 'application/json',
        text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}',
      },
    ])
  })
}
