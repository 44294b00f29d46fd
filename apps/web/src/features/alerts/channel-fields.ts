import type { Channel, Route } from '@agency/contract/types'
import type { Problems } from '../../lib/form/use-edit-form.ts'

export const kindLabels: Record<Channel['kind'], string> = {
  webhook: 'Webhook',
  slack: 'Slack-compatible webhook',
  mail: 'Email',
  push: 'Browser push',
}

export type ChannelFields = {
  version: number
  kind: Channel['kind']
  name: string
  /** Empty: as it was. */
  target: string
  /** Of its first route. */
  minSeverity: Route['min_severity']
  isEnabled: boolean
  isEscalation: boolean
}

export const newChannel: ChannelFields = {
  version: 0,
  kind: 'webhook',
  name: '',
  target: '',
  minSeverity: 'warning',
  isEnabled: true,
  isEscalation: false,
}

export const fieldsOf = ({ version, kind, name, is_enabled, is_escalation }: Channel): ChannelFields => ({
  ...{ version, kind, name, target: '', minSeverity: 'warning', isEnabled: is_enabled, isEscalation: is_escalation },
})

const mostAddresses = 20
const isMail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

function mailProblem(typed: string): string | undefined {
  const addresses = typed.split(/[,;\s]+/).filter((address) => address !== '')
  if (addresses.length === 0) return 'Enter a mail address'
  const wrong = addresses.find((address) => !isMail(address))
  if (wrong !== undefined) return addresses.length === 1 ? 'Enter a mail address' : `${wrong} is not a mail address`
  return addresses.length > mostAddresses ? `Enter ${mostAddresses} mail addresses at most` : undefined
}

export function channelProblems({ kind, name, target }: ChannelFields, isNew: boolean): Problems<ChannelFields> {
  const typed = target.trim()
  const wrongTarget =
    kind === 'mail'
      ? mailProblem(typed)
      : !/^https:\/\/\S+$/.test(typed) && 'Enter an address that starts with https://'
  return {
    name: name.trim() === '' ? 'Enter a name' : undefined,
    target: kind === 'push' ? undefined : ((isNew || typed !== '') && wrongTarget) || undefined,
  }
}
