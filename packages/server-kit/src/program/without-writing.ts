import { RpcError } from '@parley/mcp'
import type { Server } from '@parley/mcp/server'

/**
 * Takes away every tool that does not say `readOnlyHint: true`: not listed, and calling it is calling something unknown.
 * Tools that are added later are judged the same way.
 */
export function withoutWriting<App, Tools>(server: Server<App, Tools>): Server<App, Tools> {
  server.use('tools/list', async (_, next) => {
    const { result } = await next()
    const tools = result.tools.filter(({ annotations }) => annotations?.readOnlyHint === true)
    return { resultType: 'complete', result: { ...result, tools } }
  })
  server.use('tools/call', async ({ params }, next) => {
    const tool = server.tools().find(({ name }) => name === params.name)
    if (tool?.annotations?.readOnlyHint === true) return next()
    throw new RpcError('invalid_params', `unknown tool: ${params.name}`)
  })
  return server
}
