// Preloaded into every measured process: answers how much CPU time it has used. The channel keeps nothing alive.
if (process.send) {
  process.on('message', (message) => {
    if (message === 'cpu') process.send({ cpu: process.cpuUsage() })
  })
  process.channel.unref()
}
