/** Runs in a frame without network: the host passes messages on, as the extension `io.modelcontextprotocol/ui` has it. */
export const appPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dice</title>
<style>
  body { font: 1rem system-ui; margin: 1rem; color-scheme: light dark }
  output { display: block; font-size: 3rem; min-height: 4rem }
</style>
<output aria-live="polite"></output>
<button type="button">Roll again</button>
<script>
  const waiting = new Map()
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const ask = (method, params) => {
    const id = waiting.size + 1
    send({ id, method, params })
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  }
  const show = ({ structuredContent }) => {
    const faces = structuredContent.dice.map((one) => String.fromCodePoint(0x267f + one))
    document.querySelector('output').textContent = faces.join(' ') + ' = ' + structuredContent.total
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (data.method === 'ui/notifications/tool-result') show(data.params)
    else if (data.method === 'ping') send({ id: data.id, result: {} })
    else if (data.error) waiting.get(data.id)?.reject(new Error(data.error.message))
    else if ('result' in data) waiting.get(data.id)?.resolve(data.result)
  })
  document.querySelector('button').addEventListener('click', async () => {
    show(await ask('tools/call', { name: 'roll-dice', arguments: {} }))
  })
  ask('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'dice', version: '1.0.0' },
    appCapabilities: {},
  }).then(() => send({ method: 'ui/notifications/initialized', params: {} }))
</script>
</html>
`
