import { appScript } from '@parley/mcp/apps'

/** Runs in a frame without network: it shows what was rolled, and asks its host to roll again. */
export const appPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dice</title>
<style>
  body {
    margin: 0;
    padding: 1rem;
    font: 0.875rem/1.5 var(--font-sans, system-ui);
    color: var(--color-text-primary, CanvasText);
  }
  output { display: block; font-size: 3rem; line-height: 1.25; min-height: 3.75rem }
  button {
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--color-border-primary, GrayText);
    border-radius: var(--border-radius-md, 6px);
    background: var(--color-background-primary, Canvas);
    color: inherit;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  button:hover { background: var(--color-background-secondary, ButtonFace) }
  button:focus-visible { outline: 2px solid var(--color-ring-primary, Highlight); outline-offset: 2px }
  p { margin: 0.5rem 0 0 }
  p:empty { display: none }
</style>
<output aria-live="polite"></output>
<button type="button">Roll again</button>
<p role="status"></p>
<script>${appScript}</script>
<script>
  const output = document.querySelector('output')
  const status = document.querySelector('p')
  const button = document.querySelector('button')
  let count = 2
  const show = ({ structuredContent }) => {
    const { dice, total } = structuredContent
    count = dice.length
    output.textContent = dice.map((one) => String.fromCodePoint(0x267f + one)).join(' ') + ' = ' + total
  }
  connectApp({ name: 'dice', version: '1.0.0', onToolResult: show }).then((app) => {
    button.addEventListener('click', async () => {
      status.textContent = 'Waiting for permission …'
      try {
        show(await app.callTool('roll-dice', { count }))
        status.textContent = ''
      } catch (error) {
        status.textContent = error.message
      }
    })
  })
</script>
</html>
`
