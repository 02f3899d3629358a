process.argv.push('--websocket')
await import('./parley-http.mjs')
