import { useEffect, useState } from 'react'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'

type Props = { text: string; label: string }

export function CopyButton({ text, label }: Props) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  const handleCopy = async () => setCopied(await copy(text))
  return (
    <IconButton small label={copied ? 'Copied' : label} onClick={handleCopy}>
      <Icon name={copied ? 'check' : 'copy'} size={16} />
    </IconButton>
  )
}

// The clipboard API is missing on plain HTTP other than localhost.
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  return done
}
