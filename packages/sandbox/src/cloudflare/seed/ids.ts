import { randomFrom } from '../../world/random.ts'

const hex = '0123456789abcdef'

/** 32 hexadecimal digits, as zones, accounts and records have; one name, one id. */
export const hexId = (seed: string, name: string) => randomFrom(`${seed} cloudflare ${name}`).text(32, hex)

/** As projects and deployments have. */
export function uuid(seed: string, name: string): string {
  const random = randomFrom(`${seed} cloudflare uuid ${name}`)
  const part = (length: number) => random.text(length, hex)
  return `${part(8)}-${part(4)}-4${part(3)}-${random.pick(['8', '9', 'a', 'b'])}${part(3)}-${part(12)}`
}
