import * as endpoints from '@agency/contract/descriptors/settings'
import type { Setting } from '@agency/contract/types'
import { useQueryClient } from '@tanstack/react-query'
import type { Input } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { useToast } from '../../ui/Toast.tsx'
import { settingsList } from './settings-search.ts'
import { withLabels } from './settings-words.ts'
import { takeOver } from './take-over.ts'

type Changes = Input<typeof endpoints.changeSettings>['body']

/** Saves changes, and tells what the server refused: of one field, or of the whole. */
export function useSave(settings: readonly Setting[]) {
  const client = useQueryClient()
  const toast = useToast()
  const change = useCall(endpoints.changeSettings)
  const words = withLabels(change.error?.message.replace(/^changes\./, '') ?? '', settings)
  // What was changed meanwhile is no fault of the field.
  const overtaken = change.error?.status === 409
  const key = overtaken ? undefined : change.error?.parameter?.replace(/^changes\./, '')
  const field = settings.some((setting) => setting.key === key) ? key : undefined
  const whole = overtaken ? 'Someone else changed a marked setting.' : words

  return {
    saving: change.isPending,
    refusedField: field === undefined ? undefined : { key: field, words },
    refusal: change.error && field === undefined ? `Nothing was saved. ${whole}` : undefined,
    forget: change.reset,
    send: (body: Changes, changed: readonly Setting[], onSaved: () => void) =>
      change.mutate(
        { body },
        {
          onSuccess: (answer) => {
            takeOver(client, answer, changed)
            toast.success(changed.length === 1 ? 'Saved 1 setting' : `Saved ${changed.length} settings`)
            onSaved()
          },
          onError: (error) => {
            if (error.status === 409) void client.invalidateQueries({ queryKey: settingsList.queryKey })
          },
        },
      ),
  }
}
