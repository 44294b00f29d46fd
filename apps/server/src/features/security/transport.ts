import type { Config } from '../../config.ts'

export type PlainTransport = { isError: boolean; finding: string; advice: string }

const names = ['localhost', '::1', '[::1]']
const isLoopback = (host: string): boolean => names.includes(host) || /^127(\.\d{1,3}){3}$/.test(host)

const advice =
  'Use a proxy with a certificate and set "Address of this console" to its https address, or set HOST to 127.0.0.1.'

/** How what is typed and shown here can be read on its way; null: as far as can be seen, it cannot. */
export function plainTransport({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): PlainTransport | null {
  if (publicUrl?.startsWith('https:')) return null
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname))
    return { isError: true, finding: `The public address ${publicUrl} is not encrypted`, advice }
  if (isLoopback(host)) return null
  const finding = `The console listens on ${host} over plain HTTP: keys and customer data cross the network readable`
  return { isError: false, finding, advice }
}
