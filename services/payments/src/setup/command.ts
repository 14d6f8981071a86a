import { PaymentProvider } from '@frontdesk/contracts'
import type { Command } from '@frontdesk/operate'
import type { PaymentDeps } from '../payment/deps.ts'
import { findUsableAccount } from './store.ts'

/** Checks the settings at each provider that we know: one command a provider, such as `stripe check`. */
export const setupCommands: readonly Command<PaymentDeps>[] = PaymentProvider.enum.map(checkCommand)

function checkCommand(name: PaymentProvider): Command<PaymentDeps> {
  return {
    name: `${name.toLowerCase()} check`,
    usage: '',
    does: `Compares keys, webhook endpoints and permissions at ${name} with what is needed. Changes nothing.`,
    async run({ providers, pool, origin }, call) {
      const provider = providers.get(name)
      if (provider === undefined) {
        const others = providers.enabled.length > 0 ? `; configured: ${providers.enabled.join(', ')}` : ''
        call.say(`fault    ${name} is not configured${others}`)
        return false
      }
      const accounts = await findUsableAccount(pool, name)
      const findings = await provider.checkSetup({ publicUrl: origin.publicUrl, accounts })
      for (const { level, about, text } of findings) call.say(`${level.padEnd(8)} ${about}: ${text}`)
      const count = (level: string) => findings.filter((one) => one.level === level).length
      call.say(`${name}: ${count('fault')} faults, ${count('warning')} warnings, ${count('ok')} right`)
      return count('fault') === 0
    },
  }
}
