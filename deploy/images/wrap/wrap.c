/* The keeper of a sandbox: process 1 of every container, started before the bot and trusted.
 *
 * It waits on its standard input for one command, runs it as its only child, and tells on its
 * standard output what came of it. Everything between it and the host is frames:
 *
 *     type (1 byte)  length (4 bytes, little endian)  content
 *
 * In come one 'C', the command, and perhaps later one 'K': end it now. The end of the input means
 * the same: it is what the death of whoever started the container looks like. Out go
 *
 *     'W'   it waits for the command
 *     'S'   the program runs
 *     'L'   what the program wrote: the first KEPT bytes as they come, the last KEPT at the end
 *     'F'   (building) a file follows: mode in octal, a blank, its path below the folder
 *     'D'   (building) a piece of that file
 *     'R'   the report, one JSON object, always the last
 *
 * A command is texts that end in zero bytes: "run" or "build", the number of arguments, the
 * arguments, and environment variables NAME=VALUE. "run" runs in BOT; "build" copies SOURCE to
 * BUILD, runs there and, if the program ends with 0, sends every regular file that it finds.
 *
 * What it does not rely on: that the program leaves it alone. A program of the same user cannot
 * kill process 1 of its namespace, and cannot reach the descriptors or the memory of a process
 * that is not dumpable. That output is read here, and thrown away here, makes whoever floods it pay
 * with its own processor time. All files are opened without following links, and only when nothing
 * of the program is left.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BOT "/bot"
#define SOURCE "/source"
#define BUILD "/build"
#define KEPT (32 * 1024)
#define LONGEST_COMMAND (64 * 1024)
#define MOST_ARGUMENTS 1024
#define DEEPEST 32
#define LONGEST_NAME 200
#define OUR_FAULT 125
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

extern char **environ;

static char command[LONGEST_COMMAND + 1];
static char *arguments[MOST_ARGUMENTS + 1];
static bool building;

/* -- frames ------------------------------------------------------------------------------------ */

static void put(const void *from, size_t count) {
    const char *at = from;
    while (count > 0) {
        ssize_t done = write(STDOUT_FILENO, at, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(OUR_FAULT); /* nobody listens any more */
        at += done;
        count -= (size_t)done;
    }
}

static void frame(char type, const void *content, size_t length) {
    unsigned char head[5] = {(unsigned char)type, (unsigned char)length,
                             (unsigned char)(length >> 8), (unsigned char)(length >> 16),
                             (unsigned char)(length >> 24)};
    put(head, sizeof head);
    put(content, length);
}

static bool take(void *into, size_t count) {
    char *at = into;
    while (count > 0) {
        ssize_t done = read(STDIN_FILENO, at, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

/* -- the report -------------------------------------------------------------------------------- */

static char report[16 * 1024];
static size_t reported;

static void tell(const char *format, ...) {
    va_list values;
    va_start(values, format);
    int count = vsnprintf(report + reported, sizeof report - reported, format, values);
    va_end(values);
    if (count > 0 && reported + (size_t)count < sizeof report)
        reported += (size_t)count;
}

/* A text from a stranger as the content of a JSON string. */
static void tell_text(const char *text) {
    for (; *text && reported < sizeof report - 16; text++) {
        unsigned char one = (unsigned char)*text;
        if (one < 0x20 || one >= 0x7f || one == '"' || one == '\\')
            tell("\\u%04x", one);
        else
            tell("%c", one);
    }
}

static void say_goodbye(void) {
    tell("}");
    frame('R', report, reported);
}

static void fail(const char *what) {
    tell(",\"failed\":\"%s: %s\"", what, strerror(errno));
    say_goodbye();
    exit(OUR_FAULT);
}

/* The first number after `word` in a file of the control group; -1 if there is none. */
static long long number_in(const char *path, const char *word) {
    char text[4096];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0)
        return -1;
    text[count] = 0;
    const char *at = *word ? strstr(text, word) : text;
    return at ? strtoll(at + strlen(word), NULL, 10) : -1;
}

static long long either(long long one, long long other) { return one >= 0 ? one : other; }

/* -- the log ----------------------------------------------------------------------------------- */

static char tail[KEPT];
static size_t head_size;
static unsigned long long tail_total; /* bytes that went to the tail, of which it holds the last */

static void keep(const char *text, size_t count) {
    size_t room = KEPT - head_size;
    size_t now = count < room ? count : room;
    if (now > 0)
        frame('L', text, now);
    head_size += now;
    for (text += now, count -= now; count > 0;) {
        size_t place = (size_t)(tail_total % KEPT);
        size_t piece = KEPT - place < count ? KEPT - place : count;
        memcpy(tail + place, text, piece);
        tail_total += piece;
        text += piece;
        count -= piece;
    }
}

static void send_tail(void) {
    if (tail_total > KEPT) {
        size_t place = (size_t)(tail_total % KEPT);
        char gap[64];
        int count = snprintf(gap, sizeof gap, "\n[... %llu bytes ...]\n", tail_total - KEPT);
        frame('L', gap, (size_t)count);
        frame('L', tail + place, KEPT - place);
        frame('L', tail, place);
    } else if (tail_total > 0) {
        frame('L', tail, (size_t)tail_total);
    }
}

/* Read what is there; false: there will be no more, or there is none now. */
static bool hear(int pipe) {
    static char piece[64 * 1024];
    ssize_t count = read(pipe, piece, sizeof piece);
    if (count > 0)
        keep(piece, (size_t)count);
    return count > 0 || (count < 0 && errno == EINTR);
}

/* -- files ------------------------------------------------------------------------------------- */

static unsigned skipped;
static char skipped_names[2048];

/* Count what is left out; of the first ones the end of the name is kept, which says most. */
static void skip(const char *path) {
    size_t used = strlen(skipped_names), length = strlen(path);
    if (++skipped <= 10) {
        const char *end = length > LONGEST_NAME ? path + length - LONGEST_NAME : path;
        snprintf(skipped_names + used, sizeof skipped_names - used, "%s\n", end);
    }
}

typedef void visit(int folder, const char *name, const char *path, const struct stat *facts);

/* Call `see` for every regular file below a folder, without following a link. */
static void walk(int folder, const char *path, int depth, visit *enter, visit *see) {
    DIR *entries = fdopendir(folder);
    if (entries == NULL)
        fail("fdopendir");
    for (struct dirent *one; (one = readdir(entries)) != NULL;) {
        if (!strcmp(one->d_name, ".") || !strcmp(one->d_name, ".."))
            continue;
        char inner[PATH_MAX];
        int count = snprintf(inner, sizeof inner, "%s%s%s", path, *path ? "/" : "", one->d_name);
        struct stat facts;
        if (count < 0 || (size_t)count >= sizeof inner ||
            fstatat(folder, one->d_name, &facts, AT_SYMLINK_NOFOLLOW) < 0) {
            skip(one->d_name);
        } else if (S_ISDIR(facts.st_mode) && depth < DEEPEST) {
            int next = openat(folder, one->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (next < 0) {
                skip(inner);
                continue;
            }
            if (enter != NULL)
                enter(folder, one->d_name, inner, &facts);
            walk(next, inner, depth + 1, enter, see);
        } else if (S_ISREG(facts.st_mode)) {
            see(folder, one->d_name, inner, &facts);
        } else {
            skip(inner);
        }
    }
    closedir(entries);
}

static int open_regular(int folder, const char *name) {
    /* O_NONBLOCK: should it be a pipe after all, nobody waits for the other end. */
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat facts;
    if (file >= 0 && (fstat(file, &facts) < 0 || !S_ISREG(facts.st_mode))) {
        close(file);
        return -1;
    }
    return file;
}

static void send_file(int folder, const char *name, const char *path, const struct stat *facts) {
    static char piece[64 * 1024];
    int file = open_regular(folder, name);
    if (file < 0) {
        skip(path);
        return;
    }
    int count = snprintf(piece, sizeof piece, "%o %s", facts->st_mode & 0100 ? 0755 : 0644, path);
    frame('F', piece, (size_t)count);
    for (ssize_t got; (got = read(file, piece, sizeof piece)) > 0;)
        frame('D', piece, (size_t)got);
    close(file);
}

static int build_folder;

static void copy_folder(int folder, const char *name, const char *path, const struct stat *facts) {
    (void)folder, (void)name, (void)facts;
    if (mkdirat(build_folder, path, 0755) < 0)
        fail("the sources cannot be copied");
}

static void copy_file(int folder, const char *name, const char *path, const struct stat *facts) {
    static char piece[64 * 1024];
    int from = open_regular(folder, name);
    int into = openat(build_folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                      facts->st_mode & 0100 ? 0755 : 0644);
    if (from < 0 || into < 0)
        fail("the sources cannot be copied");
    for (ssize_t got; (got = read(from, piece, sizeof piece)) != 0;)
        if (got < 0 || write(into, piece, (size_t)got) != got)
            fail("the sources cannot be copied");
    close(from);
    close(into);
}

static void walk_at(const char *root, visit *enter, visit *see) {
    int folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        fail(root);
    walk(folder, "", 0, enter, see);
}

static void fetch_sources(void) {
    build_folder = open(BUILD, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (build_folder < 0)
        fail(BUILD);
    walk_at(SOURCE, copy_folder, copy_file);
    close(build_folder);
}

/* -- the command ------------------------------------------------------------------------------- */

/* Wait for the command; false: there will be none. */
static bool read_command(void) {
    unsigned char head[5];
    if (!take(head, sizeof head) || head[0] != 'C')
        return false;
    size_t length = head[1] | (size_t)head[2] << 8 | (size_t)head[3] << 16 | (size_t)head[4] << 24;
    if (length == 0 || length > LONGEST_COMMAND || !take(command, length))
        return false;
    command[length] = 0;
    char *end = command + length, *at = command;
    building = !strcmp(at, "build");
    at += strlen(at) + 1;
    int count = at < end ? atoi(at) : 0;
    at += strlen(at) + 1;
    if (count < 1 || count > MOST_ARGUMENTS)
        return false;
    for (int i = 0; i < count && at < end; i++, at += strlen(at) + 1)
        arguments[i] = at;
    for (; at < end; at += strlen(at) + 1)
        putenv(at);
    return arguments[count - 1] != NULL;
}

static void be_the_program(int output, int failure) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Only a dumpable process may change this of itself; nobody is there yet to profit from it. */
    prctl(PR_SET_DUMPABLE, 1);
    int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) /* when memory runs out, the program goes before its keeper */
        (void)!write(score, "1000", 4);
    setsid();
    /* Ours are closed by exec; this is for what whoever started us may have left open. */
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0 && chdir(building ? BUILD : BOT) == 0)
        execvp(arguments[0], arguments);
    (void)!write(failure, &errno, sizeof errno);
    _exit(127);
}

/* Start the program; where its output can be read. */
static int start(pid_t *program) {
    int output[2], failure[2], why = 0;
    if (pipe2(output, O_CLOEXEC) < 0 || pipe2(failure, O_CLOEXEC) < 0)
        fail("pipe");
    *program = fork();
    if (*program < 0)
        fail("fork");
    if (*program == 0)
        be_the_program(output[1], failure[1]);
    close(output[1]);
    close(failure[1]);
    if (read(failure[0], &why, sizeof why) == sizeof why) {
        tell(",\"missing\":\"%s\"", strerror(why));
        say_goodbye();
        exit(127);
    }
    close(failure[0]);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    frame('S', "", 0);
    return output[0];
}

/* Reap; true: the program has ended, how is in `status`. */
static bool reap(pid_t program, int *status) {
    bool ended = false;
    int how;
    for (pid_t one; (one = waitpid(-1, &how, WNOHANG)) > 0;)
        if (one == program) {
            *status = how;
            ended = true;
        }
    return ended;
}

/* Until the program ends or is to end: hear it out, and everybody else too. */
static bool accompany(pid_t program, int output, int children, int *status) {
    struct pollfd sources[] = {{children, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}, {output, POLLIN, 0}};
    const struct timespec moment = {0, 5 * 1000 * 1000};
    for (;;) {
        if (poll(sources, 3, -1) < 0 && errno != EINTR)
            fail("poll");
        struct signalfd_siginfo news;
        if (sources[0].revents && read(children, &news, sizeof news) > 0 && reap(program, status))
            return false;
        if (sources[1].revents)
            return true;
        if (sources[2].revents) {
            /* Many small pieces as few large ones: each goes through the engine. */
            if (head_size < KEPT)
                nanosleep(&moment, NULL);
            if (!hear(output) && errno != EAGAIN)
                sources[2].fd = -1;
        }
    }
}

static void end_all(pid_t program, int *status) {
    const struct timespec moment = {0, 1000 * 1000};
    while (kill(-1, SIGKILL) == 0 || errno != ESRCH) {
        reap(program, status);
        nanosleep(&moment, NULL);
    }
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

int main(void) {
    if (getpid() != 1) { /* anywhere else `kill` would reach what is not ours */
        fputs("wrap: must be process 1 of a container\n", stderr);
        return OUR_FAULT;
    }
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    signal(SIGPIPE, SIG_IGN);
    umask(022);
    prctl(PR_SET_DUMPABLE, 0);
    int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (children < 0)
        fail("signalfd");
    frame('W', "", 0);
    if (!read_command())
        return 0;
    tell("{\"wrap\":1");
    if (building)
        fetch_sources();
    signal(SIGPIPE, SIG_DFL); /* what is ignored would be inherited */
    pid_t program;
    int output = start(&program), status = 0;
    signal(SIGPIPE, SIG_IGN);
    bool stopped = accompany(program, output, children, &status);
    end_all(program, &status);
    while (hear(output))
        ;
    send_tail();
    bool good = !stopped && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (building && good)
        walk_at(BUILD, NULL, send_file);
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    tell(",\"stopped\":%s", stopped ? "true" : "false");
    tell(",\"code\":%d", WIFEXITED(status) ? WEXITSTATUS(status) : 0);
    tell(",\"signal\":%d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    tell(",\"cpu_ms\":%lld", (long long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
                                 (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000);
    tell(",\"peak_bytes\":%lld",
         either(number_in("/sys/fs/cgroup/memory.peak", ""),
                number_in("/sys/fs/cgroup/memory/memory.max_usage_in_bytes", "")));
    tell(",\"killed_for_memory\":%lld",
         either(number_in("/sys/fs/cgroup/memory.events", "oom_kill "),
                number_in("/sys/fs/cgroup/memory/memory.oom_control", "oom_kill ")));
    tell(",\"lost_bytes\":%llu", tail_total > KEPT ? tail_total - KEPT : 0);
    tell(",\"skipped\":%u,\"skipped_names\":\"", skipped);
    tell_text(skipped_names);
    tell("\"");
    say_goodbye();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
