export async function show(value: Date): Promise<string> {
  await fetch('/api')
  await window.fetch('/api')
  localStorage.setItem('shown', globalThis.localStorage.getItem('shown') ?? '')
  return new Intl.DateTimeFormat().format(value) + value.toLocaleDateString()
}
