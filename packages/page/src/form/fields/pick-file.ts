/** As much as one message of the page can carry, written as base64. */
const maxBytes = 2_500_000

/** Lets the user choose a file; undefined when none was chosen. */
export function pickFile(accept?: string): Promise<File | undefined> {
  const input = document.createElement('input')
  input.type = 'file'
  if (accept !== undefined) input.accept = accept
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
    input.click()
  })
}

/** The file as text for a field: its own text, its bytes as base64, or both type and bytes as a `data:` address. */
export async function readAs(file: File, form: 'text' | 'base64' | 'data-url'): Promise<string> {
  if (file.size > maxBytes) {
    const size = (file.size / 1e6).toFixed(1)
    throw new Error(`${file.name} has ${size} MB: a field takes at most ${maxBytes / 1e6} MB.`)
  }
  if (form === 'text') return file.text()
  const url = await dataUrlOf(file)
  return form === 'data-url' ? url : url.slice(url.indexOf(',') + 1)
}

function dataUrlOf(file: File): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.addEventListener('load', () => {
      resolve(typeof reader.result === 'string' ? reader.result : '')
    })
    reader.addEventListener('error', () => reject(reader.error ?? new Error('not readable')))
    reader.readAsDataURL(file)
  })
}
