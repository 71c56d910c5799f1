import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { levels, logs } from './logs-command.mjs';
import { publish } from './publish-command.mjs';
import { listRooms, listSessions, status } from './status-command.mjs';
import { watch } from './watch-command.mjs';

const services = ['gateway', 'sfu', 'transcoder', 'ingest', 'postgres', 'nats'];

/** The commands of `rtms`. */
export function rtmsProgram() {
  const program = new Command('rtms')
    .description('Tries a running RTMS. Beside npm start it needs neither addresses nor keys.')
    .showHelpAfterError();
  program.command('status').description('addresses, sign-in and health of the running installation').action(status);
  program
    .command('publish')
    .argument('[file]', 'media file to loop; without it a test picture with a clock, and a tone')
    .description('publishes by WHIP until Ctrl-C; without --url into a new room of the demo account')
    .option('--url <address>', 'WHIP address')
    .addOption(tokenOption('WHIP_TOKEN', 'token of the WHIP address'))
    .action((file, options) => publish(file, options));
  program
    .command('watch')
    .argument('[sessionID]', 'external session; without it the newest active one')
    .description('watches by WHEP until Ctrl-C, and prints frames, delay and loss each second')
    .option('--url <address>', 'WHEP address')
    .addOption(tokenOption('WHEP_TOKEN', 'token of the WHEP address'))
    .option('--seconds <count>', 'ends after this time', wholeNumber)
    .action((sessionID, options) => watch(sessionID, options));
  program.command('rooms').description('the newest active rooms').action(listRooms);
  program.command('sessions').description('the newest live external sessions').action(listSessions);
  program
    .command('logs')
    .addArgument(new Argument('[service...]', 'all without any').choices(services))
    .description('the last log lines of the services')
    .option('--follow', 'prints new lines until Ctrl-C')
    .addOption(new Option('--level <level>', 'the least level').choices(levels).default('info'))
    .option('--lines <count>', 'greatest number of former lines', wholeNumber, 50)
    .action((names, options) => logs(names, options));
  return program;
}

/** Other users of the machine can see an argument, but no variable. @param {string} variable @param {string} description */
function tokenOption(variable, description) {
  return new Option('--token <token>', description).env(variable);
}

/** @param {string} text */
function wholeNumber(text) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.');
  return Number(text);
}
