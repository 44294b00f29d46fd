import type { Channel } from '@agency/contract/types'
import type { Problems } from '../../lib/form/use-edit-form.ts'

export const kindLabels: Record<Channel['kind'], string> = {
  webhook: 'Webhook',
  slack: 'Slack-compatible webhook',
  mail: 'Email',
}

export type ChannelFields = {
  version: number
  kind: Channel['kind']
  name: string
  /** Empty: as it was. */
  target: string
  minSeverity: Channel['min_severity']
  isEnabled: boolean
}

export const newChannel: ChannelFields = {
  version: 0,
  kind: 'webhook',
  name: '',
  target: '',
  minSeverity: 'warning',
  isEnabled: true,
}

export const fieldsOf = ({ version, kind, name, min_severity, is_enabled }: Channel): ChannelFields => ({
  ...{ version, kind, name, target: '', minSeverity: min_severity, isEnabled: is_enabled },
})

const isMail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

export function channelProblems({ kind, name, target }: ChannelFields, isNew: boolean): Problems<ChannelFields> {
  const typed = target.trim()
  const wrongTarget =
    kind === 'mail'
      ? !isMail(typed) && 'Enter a mail address'
      : !/^https:\/\/\S+$/.test(typed) && 'Enter an address that starts with https://'
  return {
    name: name.trim() === '' ? 'Enter a name' : undefined,
    target: ((isNew || typed !== '') && wrongTarget) || undefined,
  }
}
