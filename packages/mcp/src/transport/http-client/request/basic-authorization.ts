/** The `Basic` scheme for the user and password of a URL, which are percent-encoded there. */
export function basicAuthorization(username: string, password: string): string {
  const pair = `${decode(username)}:${decode(password)}`
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`
}

/** A `%` that encodes nothing stands for itself, as in every other part of a URL. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
