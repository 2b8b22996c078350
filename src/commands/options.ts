import { Command, InvalidArgumentError, Option } from 'commander';
import { alignColumns } from '../render/terminal.ts';

export class TroveCommand extends Command {
  readonly #examples: (readonly [line: string, what: string])[] = [];

  override createCommand(name?: string): TroveCommand {
    return new TroveCommand(name);
  }

  add(name: string, summary: string): TroveCommand {
    return this.command(name).description(summary);
  }

  /** What people type most, at the end of its help: the line, and what it is for. */
  example(line: string, what: string): this {
    if (this.#examples.length === 0) {
      const listed = () => alignColumns(this.#examples).trimEnd().replaceAll(/^/gm, '  ');
      this.addHelpText('after', () => `\nExamples:\n${listed()}`);
    }
    this.#examples.push([line, what]);
    return this;
  }

  /** What is planned beside what the catalog says; the same flags for plan and apply. */
  addPlanOptions(): this {
    return this.addOption(repeatable('--target <address>', 'only this and what it depends on'))
      .addOption(repeatable('--replace <address>', 'create it anew and retire its record'))
      .addOption(repeatable('--reassert [address]', 'write it, or all, again though nothing differs'))
      .addOption(repeatable('--confirm-new [address]', 'it, or all, is new though it looks like another'))
      .option('--recover', 'the state was lost: look for items under their derived ids');
  }
}

export function formatOption(): Option {
  return new Option('--format <format>', 'for people or for programs')
    .choices(['text', 'json'])
    .default('text');
}

/** Several formats at once, of which all but one go into files. */
export class FormatsOption extends Option {
  readonly formats: readonly string[];

  /** `others` are those beside text. */
  constructor(...others: readonly string[]) {
    const listed = `${others.slice(0, -1).join(', ')} or ${others.at(-1)}`;
    super('--format <format>', `text (the default), ${listed}; or FORMAT=FILE; may be repeated`);
    this.formats = ['text', ...others];
    this.argParser(collect);
  }
}

export function passwordOption(): Option {
  return new Option('--password-stdin', 'read the password from standard input');
}

export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description}; may be repeated`).argParser(collect);
}

export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It takes a whole number from ${least} to ${most}.`);
  };
}

/** Where an address is optional, the flag without one is `true`, which stands for all and outweighs the others. */
function collect(value: string, previous: readonly string[] | true = []): readonly string[] | true {
  return previous === true ? previous : [...previous, value];
}
